import Foundation
import FoundationExtras
import LocalAppStore
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

/// Tests of a `tillroll-server` process that is killed while it back-fills notifications.
@Suite struct ReconciliationKillTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    private static let purchases = 200

    @Test func `a server that is killed while it back-fills continues, and adds the credits of each purchase once`() async throws {
        let store = try await StoreHarness.start()
        var app = AppRequest()
        app.sandboxURL = "http://127.0.0.1:9/notifications"
        _ = try await store.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
        for _ in 0..<Self.purchases {
            let request = BuyRequest(account: .test, productID: .credits, appAccountToken: Self.customer)
            _ = try await store.call(ControlEndpoints.buy, request)
        }
        try await TemporaryFolder.with { folder in
            let options = try Self.options(store, in: folder)
            let first = try await RunningServer.start(options, in: folder)
            var recorded = 0
            for await line in first.process.lines where line.contains("missing notification recorded") {
                recorded += 1
                if recorded == 50 { break }
            }
            await first.process.kill()

            let second = try await RunningServer.start(options, in: folder)
            let result = try #require(await second.process.lines.first { $0.contains("reconciliation ended") })
            #expect(result.contains("complete: "), "\(result)")
            #expect(!result.contains("\(Self.purchases) missing"), "\(result)")
            #expect(try await second.backend.balance(of: Self.customer) == Int64(5 * Self.purchases))
            #expect(await second.process.terminate() == 0)
        }
    }

    @Test func `the command reconciles once, and prints what was missing`() async throws {
        let store = try await StoreHarness.start()
        var app = AppRequest()
        app.sandboxURL = "http://127.0.0.1:9/notifications"
        _ = try await store.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
        try await store.buy(.credits)
        try await TemporaryFolder.with { folder in
            let arguments = try RunningServer.arguments(in: folder) + Self.options(store, in: folder)
            try RunningServer.writeFiles(in: folder)
            let (code, lines) = try await RunningServer.run(["reconcile", "--since", "2020-01-31"] + arguments)
            #expect(code == 0 && lines.count == 2, "\(lines)")
            #expect(lines.first?.contains("ONE_TIME_CHARGE") == true && lines.last?.contains("1 missing, 1 recorded") == true, "\(lines)")
            let (again, json) = try await RunningServer.run(["reconcile", "--json"] + arguments)
            #expect(again == 0 && json.count == 1 && json[0].contains(#""missing":0"#), "\(json)")
            let (wrong, problem) = try await RunningServer.run(["reconcile", "--since", "yesterday"] + arguments)
            #expect(wrong == 64 && problem.first?.contains("yesterday is not a date") == true, "\(problem)")
        }
    }

    /// Writes a configuration file with the store's key, and returns the options that name it.
    static func options(_ store: StoreHarness, in folder: TemporaryFolder) throws -> [String] {
        try Data(store.store.rootsPEM.utf8).write(to: folder.file("store.pem"))
        try Data(store.store.apiKey.privateKeyPEM.utf8).write(to: folder.file("key.p8"))
        let api = [
            "issuer-id": store.store.apiKey.issuerID, "key-id": store.store.apiKey.keyID,
            "private-key-file": folder.file("key.p8").path, "url": store.url.text,
        ]
        try WireJSON.encode(["app-store-server-api": api]).write(to: folder.file("configuration.json"))
        return ["--extra-roots-file", folder.file("store.pem").path, "--configuration-file", folder.file("configuration.json").path]
    }
}
