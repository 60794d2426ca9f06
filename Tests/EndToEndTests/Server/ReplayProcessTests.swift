import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of `tillroll-server replay` as a process, while a server serves.
@Suite struct ReplayProcessTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    /// Runs a replay with a file of configuration keys.
    private static func replay(
        _ keys: String, _ options: String..., on server: RunningServer
    ) async throws -> (code: Int32, lines: [String]) {
        let file = server.folder.file("next.json")
        try Data(keys.utf8).write(to: file)
        return try await RunningServer.run(["replay", file.path] + RunningServer.arguments(in: server.folder) + options)
    }

    @Test func `the command lists totals and customers under other products, and writes nothing`() async throws {
        try await RunningServer.with { server in
            // Two units of five credits for 0.99 each; three of the credits are spent.
            _ = try await LoadRequest.purchase(.credits("9000000001", quantity: 2, of: Self.customer)).send(to: server.backend)
            try await server.backend.debit(3, key: "a", from: Self.customer)
            let products = server.folder.file("next-products.json")
            try Data(RunningServer.products.replacing(#""credits":5"#, with: #""credits":10"#).utf8).write(to: products)

            let (same, none) = try await Self.replay("{}", on: server)
            #expect(same == 0 && none.last?.contains(": customers with gains or losses: 0, compared purchases: 1") == true, "\(none)")
            let keys = #"{"products-file":"\#(products.path)"}"#
            let (code, lines) = try await Self.replay(keys, on: server)
            #expect(code == 0 && lines.contains("  credits: 10 gained, 0 lost"), "\(lines)")
            #expect(lines.last?.hasPrefix("\(Self.customer)  credits 7 → 17; +") == true, "\(lines)")
            let (_, json) = try await Self.replay(keys, "--json", on: server)
            #expect(
                json.contains { $0.contains(#""event":"totals""#) && $0.contains(#""credits":{"credits":{"gained":10,"lost":0}}"#) },
                "\(json)")
            #expect(json.last?.contains(#""event":"change""#) == true && json.last?.contains(#""other":17,"present":7"#) == true, "\(json)")

            #expect(try await server.backend.balance(of: Self.customer) == 7)
            let (verified, report) = try await RunningServer.run(["rebuild", "--verify"] + RunningServer.arguments(in: server.folder))
            #expect(verified == 0, "\(report)")
        }
    }

    @Test func `a file with an unknown key, an invalid value or another app is refused`() async throws {
        try await RunningServer.with { server in
            for (keys, code, text) in [
                (#"{"transfer-polcy":"keep"}"#, 78, "The most similar key is transfer-policy."),
                (#"{"transfer-policy":"give"}"#, 78, "transfer-policy: "),
                (#"{"bundle-id":"com.example.other"}"#, 64, "does not contain the app com.example.monkeyshop"),
            ] as [(String, Int32, String)] {
                let (exit, lines) = try await Self.replay(keys, on: server)
                #expect(exit == code && lines.contains { $0.contains(text) }, "\(lines)")
            }
            let missing = try await RunningServer.run(["replay", "/nowhere.json"] + RunningServer.arguments(in: server.folder))
            #expect(missing.code == 78, "\(missing.lines)")
        }
    }
}
