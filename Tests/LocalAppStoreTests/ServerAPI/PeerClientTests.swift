import Testing

@Suite struct PeerClientTests {
    /// The files, and how many checks each has at least.
    static let files = [
        ("tokens.py", 6), ("transactions.py", 10), ("subscriptions.py", 6), ("refunds.py", 5), ("notifications.py", 6),
        ("signatures.py", 6),
    ]

    @Test(arguments: files) func `Apple's own client and verifier find what they expect`(_ file: String, _ count: Int) async throws {
        try await expect(count, of: file)
    }

    @Test func `the checkout takes what Apple's library signs for offers`() async throws {
        try await expect(7, of: "offers.py", storekit: OfferTests.storekit)
    }

    @Test func `inapppy validates receipts against both addresses`() async throws {
        try await expect(9, of: "verify_receipt.py")
    }

    private func expect(_ count: Int, of file: String, storekit: String = TestCatalog.storekit) async throws {
        let lines = try await PeerClient.run(file, storekit: storekit)
        #expect(lines.count >= count)
        for line in lines {
            #expect(line.ok, "\(line.check): \(line.detail ?? "")")
        }
    }
}
