import PostgresTestSupport
import PurchaseModel
import PurchaseStorageTesting
import Testing

@testable import PurchaseServer

/// Tests of the PostgreSQL database.
@Suite(.postgresCluster, .timeLimit(.minutes(2))) struct PostgresStorageTests {
    @Test(arguments: PurchaseStorageContract.checks)
    func `a PostgreSQL database keeps the promises of a storage`(_ check: PurchaseStorageContract.Check) async throws {
        try await check.run {
            try await PostgresPurchaseStorage(PostgresDatabase(url: PostgresClusterTrait.createDatabase(), connections: 4))
        }
    }

    @Test func `what a PostgreSQL database stores is there after it was opened again`() async throws {
        let database = try PostgresClusterTrait.createDatabase()
        try await PurchaseStorageContract.checkDurability {
            try await PostgresPurchaseStorage(PostgresDatabase(url: database, connections: 2))
        }
    }
}
