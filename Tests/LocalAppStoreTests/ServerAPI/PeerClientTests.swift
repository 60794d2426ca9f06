import Testing

@Suite struct PeerClientTests {
    /// The files, and how many checks each has at least.
    static let files = [
        ("tokens.py", 5), ("transactions.py", 10), ("subscriptions.py", 6), ("refunds.py", 5), ("notifications.py", 6),
    ]

    @Test(arguments: files) func `Apple's own client and verifier find what they expect`(_ file: String, _ count: Int) async throws {
        let lines = try await PeerClient.run(file)
        #expect(lines.count >= count)
        for line in lines {
            #expect(line.ok, "\(line.check): \(line.detail ?? "")")
        }
    }
}
