import Foundation
import GRDB
import Logging
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import Testing

@testable import LocalAppStore

/// Tests of stores whose time is out of range or far in the future.
@Suite struct StoreTimeTests {
    private static let json = "UPDATE subscriptions SET subscription = json_set(subscription, "
    private static let clock = "UPDATE settings SET value = json_set(value, "
    /// Changes of a store's file, with the value that the error names.
    private static let changes: [(sql: String, value: String)] = [
        ("\(clock)'$.store', 9000000000000000000) WHERE name = 'time'", "9000000000000000000"),
        ("\(clock)'$.store', 4102444800000) WHERE name = 'time'", "4102444800000"),
        ("\(clock)'$.store', 0) WHERE name = 'time'", " 0 milliseconds"),
        ("\(clock)'$.base', -9000000000000000000) WHERE name = 'time'", "-9000000000000000000"),
        ("\(clock)'$.factor', -1) WHERE name = 'time'", "settings"),
        ("\(clock)'$.factor', 1e300) WHERE name = 'time'", "settings"),
        ("\(clock)'$.store', 'soon') WHERE name = 'time'", "settings"),
        ("\(json)'$.handledUntil', -62135596800000)", "-62135596800000"),
        ("\(json)'$.handledUntil', 9000000000000000000)", "9000000000000000000"),
        ("\(json)'$.paidUntil', 1)", " 1 milliseconds"),
        ("\(json)'$.paidUntil', 'soon')", "subscriptions"),
        ("\(json)'$.period.start', -1)", "-1"),
        ("\(json)'$.state', json('{\"name\":\"billingRetry\",\"until\":-5}'))", "-5"),
        ("UPDATE subscriptions SET nextRenewalDate = 0", " 0 milliseconds"),
        (
            "INSERT INTO refundRequests (transactionID, reason, date, due, state) SELECT id, 'OTHER', 1738326896000, -7, 'pending' FROM transactions",
            "-7"
        ),
    ]

    /// Writes the file of a store with one subscription.
    private static func writeFile(_ path: String) async throws {
        let catalog = try Catalog(storekit: Data(contentsOf: URL(filePath: RunningStore.storekit)))
        let configuration = LocalAppStoreConfiguration(bundleID: RunningStore.bundleID, catalog: catalog, database: .memory)
        let store = try await LocalAppStore(configuration: configuration, logger: .silent)
        _ = try await store.storeServices.checkout.buy(BuyRequest(account: "jane", productID: RunningStore.monthly))
        try await store.storeServices.exports.export(to: path)
    }

    private static func change(_ path: String, _ sql: String) throws {
        let file = try DatabaseQueue(path: path)
        let count = try file.write { db in
            try db.execute(sql: sql)
            return db.changesCount
        }
        #expect(count == 1, "\(sql)")
        try file.close()
    }

    @Test func `a store file with a time out of range is refused with the value, on import and on opening`() async throws {
        let folder = try TemporaryFolder()
        let (whole, changed) = (folder.file("whole").path, folder.file("changed").path)
        try await Self.writeFile(whole)
        for (sql, value) in Self.changes {
            try FileManager.default.copyItem(atPath: whole, toPath: changed)
            try Self.change(changed, sql)
            let opened = #expect(throws: StoreFileError.self, "\(sql)") { _ = try StoreDatabase(.file(changed)) }
            #expect(opened?.description.contains(value) == true && opened?.path == changed, "\(sql): \(opened?.description ?? "")")
            let imported = #expect(throws: ImportError.self, "\(sql)") {
                try StoreFile.accept(changed, pageSize: StoreDatabase.filePageSize, at: Timestamp(Date()))
            }
            #expect(imported?.description.contains(value) == true, "\(sql): \(imported?.description ?? "")")
            try FileManager.default.removeItem(atPath: changed)
        }
        try FileManager.default.copyItem(atPath: whole, toPath: changed)
        _ = try StoreDatabase(.file(changed))
        try StoreFile.accept(whole, pageSize: StoreDatabase.filePageSize, at: Timestamp(Date()))
    }

    @Test func `a store with a time out of range is neither imported nor opened, and other stores keep running`() async throws {
        try await RunningStore.with { store in
            try FileManager.default.createDirectory(at: store.command.folder.file("shop"), withIntermediateDirectories: true)
            let path = store.command.folder.file("shop/store.sqlite").path
            try await Self.writeFile(path)
            try Self.change(path, Self.changes[0].sql)
            let imported = try await store.shell("exec timeout 60 \"$tillroll\" store import shop/store.sqlite")
            #expect(imported.code == 1 && imported.error.contains("store.invalid-file") && imported.error.contains(Self.changes[0].value))
            let opened = try await store.shell("exec timeout 60 \"$tillroll\" store up --folder shop --port 0")
            #expect(opened.code == 65 && opened.error.contains("shop/store.sqlite: ") && opened.error.contains(Self.changes[0].value))
            _ = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
        }
    }

    @Test func `a long advance reports its progress and ends at the requested time`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "freeze")
            let start = try #require(try await store.json("store", "clock")["now"] as? Int)
            let advanced = try await store.run("store", "advance", "1y", "--json")
            #expect(advanced.code == 0 && advanced.lines.count == 1)
            #expect(advanced.json["now"] as? Int == start + 365 * 86_400_000)
            let stops = advanced.error.split(separator: "\n")
            #expect(stops.count == 12 && stops.allSatisfy { $0.hasSuffix("Z") }, "\(advanced.error)")
            let date = Timestamp(milliseconds: Int64(start) + 1000 * 86_400_000).wholeSeconds
            let jumped = try await store.run("store", "jump", "\(date)", "--json")
            #expect(jumped.code == 0 && jumped.error.split(separator: "\n").count == 21, "\(jumped.error)")
            let now = try #require(jumped.json["now"] as? Int)
            #expect((0..<1000).contains(now - Int(date.milliseconds)))
            // A time out of range is refused at once.
            let far = try await store.run("store", "jump", "2089-01-01")
            #expect(far.code == 1 && far.error.contains("clock.out-of-range") && far.error.split(separator: "\n").count == 1)
        }
    }

    @Test func `Control-C stops a long advance between two steps`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "freeze")
            let start = try #require(try await store.json("store", "clock")["now"] as? Int)
            let script = "exec \"$0\" store advance 10y --store '\(store.url)' 2>&1"
            let advance = try LineProcess("/bin/bash", ["-c", script, BuiltProducts.path("tillroll")])
            _ = try #require(await advance.lines.first { $0.hasSuffix("Z") })
            kill(advance.pid, SIGINT)
            _ = await advance.end()
            let now = try #require(try await store.json("store", "clock")["now"] as? Int)
            #expect(now > start && now < start + 3_650 * 86_400_000)
            #expect((now - start) % (30 * 86_400_000) == 0)
        }
    }
}
