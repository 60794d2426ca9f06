import LibPQ
import PostgresTestSupport
import PurchaseModel
import PurchaseStorageTesting
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the PostgreSQL database.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct PostgresStorageTests {
    @Test(arguments: PurchaseStorageContract.checks)
    func `a PostgreSQL database keeps the promises of a storage`(_ check: PurchaseStorageContract.Check) async throws {
        try await check.run {
            try await PostgresPurchaseStorage(PostgresDatabase(url: PostgresClusterTrait.createDatabase(), connections: 4))
        }
    }

    @Test func `a text that PostgreSQL can't store is refused, and the storage works on`() async throws {
        let storage = try await PostgresPurchaseStorage(PostgresDatabase(url: PostgresClusterTrait.createDatabase(), connections: 1))
        func put(_ key: String) async throws {
            let date = Timestamp(milliseconds: 0)
            let request = AppStoreRequest(.finish, purchase: "1", transactionID: "1", key: key, expiresAt: date, dueAt: date)
            try await storage.write("com.example.app") { try $0.put(request) }
        }
        await #expect(throws: NullCharacterRefusal.self) { try await put("a\u{0}b") }
        try await put("ab")
        let keys = try await storage.read("com.example.app") { try $0.requests(dueAt: Timestamp(milliseconds: 0), limit: 9).map(\.key) }
        #expect(keys == ["ab"])
    }

    @Test func `what a PostgreSQL database stores is there after it was opened again`() async throws {
        let database = try PostgresClusterTrait.createDatabase()
        try await PurchaseStorageContract.checkDurability {
            try await PostgresPurchaseStorage(PostgresDatabase(url: database, connections: 2))
        }
    }

    @Test func `a database of the first version gets the tables that were added since, also from two servers at once`() async throws {
        let url = try PostgresClusterTrait.createDatabase()
        _ = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        try await PostgresPool(url, limit: 1).withConnection { connection in
            _ = try connection.query(
                """
                DROP TABLE catalog_file_product, customer_merge, unknown_notification, team, seat_invitation, seat_claim, customer_seat,
                    feed_event, feed_outbox, feed_head, feed_retention, feed_sweep, feed_team, feed_customer,
                    webhook_endpoint, webhook_position, webhook_lane, webhook_delivery, webhook_dead_letter
                """)
            _ = try connection.query("UPDATE tillroll_schema SET version = 1")
        }
        async let first = PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        async let second = PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        for storage in try await [first, second] {
            #expect(try await storage.read("com.example.app") { try $0.fileProducts() }.isEmpty)
        }
        let version = try await PostgresPool(url, limit: 1).withConnection { connection in
            try connection.query("SELECT version FROM tillroll_schema").first?.int64("version")
        }
        #expect(version == 7)
    }
}
