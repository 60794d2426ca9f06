import PurchaseProof

/// Measures verifications per second on one core, and their allocations.
struct OneCore {
    /// The numbers of purchases of the receipts that are only parsed, measured in megabytes per second.
    private static let parsed = [100, 10_000]

    private let samples: Samples

    init(_ samples: Samples) {
        self.samples = samples
    }

    /// Measures all subjects, or only the subject with the given name, for use with a profiler.
    func measure(only name: String? = nil) async throws -> Measurements {
        var measurements = Measurements()
        let subjects = try BareRates.subjects() + signedData() + receipts() + parsing()
        let rates = try await Stopwatch().measure(subjects.filter { name == nil || $0.name == name })
        for (name, rate) in rates { measurements[name] = rate }
        for count in Self.parsed { measurements["parse.\(count)"]? *= try Double(samples.receipt(count).count) / 1e6 }
        guard name == nil else { return measurements }
        for (name, count) in try await Allocations(samples).measure() { measurements[name] = count }
        return measurements
    }

    private func signedData() throws -> [Stopwatch.Subject] {
        let verifier = try samples.signedDataVerifier()
        let transactions = Cycle(samples.transactions)
        let notifications = Cycle(samples.notifications)
        var freshVerifiers: [SignedDataVerifier] = []
        return [
            Stopwatch.Subject(name: "jws.cached") { _ = try await verifier.verify(transactions.next()) },
            // Each verifier has new roots, because roots cache verified chains.
            Stopwatch.Subject(name: "jws.uncached") { count in
                freshVerifiers = try (0..<count).map { _ in try samples.signedDataVerifier() }
            } run: {
                _ = try await freshVerifiers.removeLast().verify(transactions.next())
            },
            Stopwatch.Subject(name: "notification.cached") { _ = try await verifier.verify(notifications.next()) },
        ]
    }

    private func receipts() throws -> [Stopwatch.Subject] {
        let verifier = try samples.receiptVerifier()
        return try Samples.purchaseCounts.map { count in
            let receipt = try samples.receipt(count)
            return Stopwatch.Subject(name: "receipt.\(count)") {
                guard try await verifier.verify(receipt).payload.purchases.count == count else { throw Failure("Purchases are missing.") }
            }
        }
    }

    private func parsing() throws -> [Stopwatch.Subject] {
        try Self.parsed.map { count in
            let receipt = try samples.receipt(count)
            return Stopwatch.Subject(name: "parse.\(count)") {
                guard try UnverifiedReceipt(receipt).payload.purchases.count == count else { throw Failure("Purchases are missing.") }
            }
        }
    }
}
