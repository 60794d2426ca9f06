import Foundation
import GRDB
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseProtocol
import PurchaseStorageTesting
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

/// Tests of the SQLite database, and of the promises of every storage.
@Suite struct StorageTests {
    private static let app: BundleID = .test

    @Test(arguments: PurchaseStorageContract.checks)
    func `a database in memory keeps the promises of a storage`(_ check: PurchaseStorageContract.Check) async throws {
        try await check.run { try SQLitePurchaseStorage(.memory) }
    }

    @Test(arguments: PurchaseStorageContract.checks)
    func `a database file keeps the promises of a storage`(_ check: PurchaseStorageContract.Check) async throws {
        try await withFile { path in try await check.run { try SQLitePurchaseStorage(.file(path)) } }
    }

    private func withFile(_ body: (String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in try await body(folder.file("server.sqlite").path()) }
    }

    private func put(_ number: UInt8, _ storage: SQLitePurchaseStorage) async throws {
        try await storage.write(Self.app) { try $0.put(Data([number]), named: "number") }
    }

    @Test func `a commit is durable before it returns and present after reopening`() async throws {
        try await withFile { path in
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                // 2 is FULL. GRDB's default is 1 (NORMAL), which may lose commits.
                let synchronous = try await storage.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
                #expect(synchronous == 2)
                let journal = try await storage.writer.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
                #expect(journal == "wal")
                try await put(5, storage)
            }
            let secret = try await SQLitePurchaseStorage(.file(path)).read(Self.app) { try $0.secret("number") }
            #expect(secret == Data([5]))
        }
    }

    @Test func `all writers that wait for a locked database fail together after the busy timeout`() async throws {
        try await withFile { path in
            let storage = try SQLitePurchaseStorage(.file(path), busyTimeout: 0.2)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let clock = ContinuousClock()
            let duration = await clock.measure {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            await #expect(throws: StorageError.locked) { try await put(UInt8(number), storage) }
                        }
                    }
                }
            }
            // One writer after another would take 4 seconds.
            #expect(duration < .seconds(2))
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try await put(1, storage)
        }
    }

    @Test(arguments: [false, true])
    func `nothing is written after the database file was deleted or replaced`(_ isReplaced: Bool) async throws {
        try await withFile { path in
            let storage = try SQLitePurchaseStorage(.file(path))
            try await put(1, storage)
            try FileManager.default.removeItem(atPath: path)
            if isReplaced { try Data().write(to: URL(fileURLWithPath: path)) }
            await #expect(throws: StorageError.fileReplaced) { try await put(2, storage) }
            await #expect(throws: StorageError.fileReplaced) { try await storage.checkWritable() }
        }
    }

    @Test func `a full database refuses writes, keeps its data, and writes again when there is space`() async throws {
        try await withFile { path in
            let storage = try SQLitePurchaseStorage(.file(path))
            try await put(1, storage)
            func limit(_ pages: Int) async throws {
                try await storage.writer.writeWithoutTransaction { db in
                    let used = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                    try db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
                }
            }
            try await limit(0)
            let large = Data(repeating: 1, count: 100_000)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        await #expect(throws: StorageError.full) {
                            try await storage.write(Self.app) { try $0.put(large, named: "large \(number)") }
                        }
                    }
                }
            }
            let number = try await storage.read(Self.app) { try $0.secret("number") }
            #expect(number == Data([1]))
            try await limit(1_000)
            try await storage.write(Self.app) { try $0.put(large, named: "large") }
        }
    }

    @Test func `a server without its database file answers 503 with Retry-After, is not ready, and names the cause in its log`()
        async throws
    {
        try await withFile { path in
            let log = RecordingLog()
            try await Shop.open(database: .file(path), logger: log.logger) { shop async throws in
                #expect(try await shop.get("/readyz").status == .ok)
                #expect(try await shop.record(.creditSale).status == .verified)
                try FileManager.default.removeItem(atPath: path)
                let answers = [
                    try await shop.get("/readyz"), try await shop.debit(1, "a"),
                    try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)),
                ]
                for answer in answers {
                    #expect(answer.status == .serviceUnavailable)
                    #expect(answer.code == "storage.unavailable")
                    #expect(answer.headers[.retryAfter] == "30")
                }
                #expect(try await shop.get("/health").status == .ok)
            }
            #expect(log.lines(.error).contains { $0.contains("the database file was deleted or replaced") })
        }
    }

    @Test func `concurrent writes share commits`() async throws {
        try await withFile { path in
            let storage = try SQLitePurchaseStorage(.file(path))
            let before = try await frames(storage)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask { try await storage.write(Self.app) { try $0.put(Data([1]), named: "s\(number)") } }
                }
                try await group.waitForAll()
            }
            // A commit of its own would write at least two pages for each request.
            #expect(try await frames(storage) - before < 200)
        }
    }

    /// The number of pages in the write-ahead log.
    private func frames(_ storage: SQLitePurchaseStorage) async throws -> Int {
        try await storage.writer.writeWithoutTransaction { try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(NOOP)")?["log"] ?? 0 }
    }
}
