import Foundation
import GRDB
import HTTPTypes
import Logging
import PurchaseIssuing
import PurchaseModel
import PurchaseStorageTesting
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

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

    @Test func `what a database file stores is there after it was opened again`() async throws {
        try await withFile { path in try await PurchaseStorageContract.checkDurability { try SQLitePurchaseStorage(.file(path)) } }
    }

    @Test func `a storage that loses what it stored is found`() async throws {
        await #expect(throws: ContractViolation.self) {
            try await PurchaseStorageContract.checkDurability { try SQLitePurchaseStorage(.memory) }
        }
    }

    @Test func `a server uses the storage that it is given`() async throws {
        try await TemporaryFolder.with { folder in
            let storage = try SQLitePurchaseStorage(.memory)
            let configuration = try Shop.configuration(contentFolder: folder.url.path())
            let server = try await PurchaseServer(configuration: configuration, storage: storage, clock: ManualClock(), logger: .silent)
            let proof = PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale))
            let app = try #require(server.apps[.test])
            _ = try await app.purchases.submit(SubmitPurchasesRequest(proofs: [proof]), for: nil, isBackend: true)
            let customer = try await storage.read(Self.app) { try $0.purchase("2000000000000001")?.customer }
            #expect(customer == Shop.customer)
        }
    }

    @Test func `a database of the first version keeps its queues`() async throws {
        try await withFile { path in
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(
                        sql: """
                            DELETE FROM grdb_migrations WHERE identifier LIKE '3 %' OR identifier LIKE '10 %';
                            DROP INDEX signed_event_by_date; DROP TABLE probe; DROP TABLE purchase_lookup; DROP TABLE outgoing_request;
                            CREATE TABLE probe (number INTEGER NOT NULL) STRICT;
                            CREATE TABLE purchase_lookup (app TEXT NOT NULL, original_transaction_id TEXT NOT NULL, due_at INTEGER NOT NULL,
                                PRIMARY KEY (app, original_transaction_id)) STRICT, WITHOUT ROWID;
                            INSERT INTO purchase_lookup VALUES ('\(Self.app)', '1', 5);
                            """)
                    try db.execute(sql: SQLiteSchema.appStoreRequestTables)
                    try db.execute(sql: "INSERT INTO outgoing_request VALUES ('\(Self.app)', '1', 'finish', '1', '2', 9, 5, 3)")
                }
            }
            let storage = try SQLitePurchaseStorage(.file(path))
            let (lookups, requests) = try await storage.write(Self.app) { records in
                let date = Timestamp(milliseconds: 5)
                let found = (try records.lookups(dueAt: date, limit: 9), try records.requests(dueAt: date, limit: 9))
                try records.removeLookup(of: "1")
                for request in found.1 { try records.remove(request) }
                #expect(try records.lookups(dueAt: date, limit: 9).isEmpty && records.requests(dueAt: date, limit: 9).isEmpty)
                return found
            }
            #expect(lookups == [PurchaseLookup(purchase: "1", dueAt: Timestamp(milliseconds: 5))])
            #expect(requests.map(\.transactionID) == ["2"] && requests.map(\.attempts) == [3])
            try await storage.checkWritable()
        }
    }

    @Test func `a database of an earlier version keeps the purchases of its customers`() async throws {
        try await withFile { path in
            let transaction = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: .testStart.adding(days: 30))
            let event = SignedEvent(transaction: transaction, source: "app")
            let purchase = PurchaseRecord(
                timeline: EntitlementTimeline(first: event), customer: Shop.customer,
                attribution: .backend)
            do {
                let storage = try SQLitePurchaseStorage(.file(path))
                try await storage.write(Self.app) { try $0.put(purchase) }
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(
                        sql: """
                            DELETE FROM grdb_migrations WHERE identifier LIKE '5 %';
                            CREATE TABLE earlier (app TEXT NOT NULL, customer TEXT NOT NULL, original_transaction_id TEXT NOT NULL,
                                attribution TEXT NOT NULL, owner TEXT, entitlement TEXT NOT NULL,
                                PRIMARY KEY (app, customer, original_transaction_id)) STRICT, WITHOUT ROWID;
                            INSERT INTO earlier
                                SELECT app, customer, original_transaction_id, attribution, owner, entitlement FROM customer_purchase;
                            DROP TABLE customer_purchase; ALTER TABLE earlier RENAME TO customer_purchase;
                            """)
                }
            }
            let storage = try SQLitePurchaseStorage(.file(path))
            let stored = try await storage.read(Self.app) { records in
                [try records.purchases(of: Shop.customer), try records.purchases(of: Shop.customer, product: .magazine)]
            }
            #expect(stored == [[purchase], [purchase]])
        }
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
