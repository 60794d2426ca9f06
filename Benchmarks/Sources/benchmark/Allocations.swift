import AllocationCounter
import PurchaseProof

/// Measures allocations per call.
struct Allocations {
    private let samples: Samples
    private let calls = 200

    init(_ samples: Samples) {
        self.samples = samples
    }

    /// Returns the allocations per call by name, or an empty dictionary on platforms without counting.
    func measure() async throws -> [String: Double] {
        guard isCounting else { return [:] }
        let signedData = try samples.signedDataVerifier()
        let transactions = Cycle(samples.transactions)
        let notifications = Cycle(samples.notifications)
        let receipts = try samples.receiptVerifier()
        let receipt = try samples.receipt(1)
        let few = try samples.receipt(100)
        let many = try samples.receipt(1000)

        let parsingFew = try await count { _ = try UnverifiedReceipt(few) }
        let parsingMany = try await count { _ = try UnverifiedReceipt(many) }
        return [
            "allocations.jws": try await count { _ = try await signedData.verify(transactions.next()) },
            "allocations.notification": try await count { _ = try await signedData.verify(notifications.next()) },
            "allocations.receipt": try await count { _ = try await receipts.verify(receipt) },
            "allocations.entry": (parsingMany - parsingFew) / 900,
        ]
    }

    /// Whether the counter counts Swift's allocations.
    private var isCounting: Bool {
        guard allocations_are_counted() != 0 else { return false }
        allocations_start()
        let objects = (0..<100).map { Cycle([$0]) }
        let totals = allocations_stop()
        return totals.count >= objects.count
    }

    /// Returns the allocations per call.
    private func count(_ body: () async throws -> Void) async throws -> Double {
        for _ in 0..<3 { try await body() }
        allocations_start()
        for _ in 0..<calls { try await body() }
        return Double(allocations_stop().count) / Double(calls)
    }
}
