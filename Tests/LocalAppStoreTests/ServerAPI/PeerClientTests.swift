import PurchaseTestSupport
import StoreTestSupport
import Testing

@Suite struct PeerClientTests {
    /// The files with their minimum number of checks.
    static let files = [
        ("tokens.py", 6), ("transactions.py", 10), ("subscriptions.py", 6), ("refunds.py", 5), ("notifications.py", 6),
        ("signatures.py", 6),
    ]

    @Test(arguments: files) func `the checks with Apple's client and verifier pass`(_ file: String, _ count: Int) async throws {
        try await expect(count, of: file)
    }

    @Test func `the store accepts offer signatures of Apple's library`() async throws {
        try await expect(7, of: "offers.py", storekit: OfferTests.storekit)
    }

    @Test func `inapppy validates receipts at the production and the sandbox URL`() async throws {
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
