import LibPQ
import PostgresTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of writes that PostgreSQL commits without its synchronous standby.
@Suite(.postgresCluster, .serialized, .timeLimit(.minutes(10))) struct PostgresReplicationTests {
    /// A transaction that writes nothing can confirm the rows of one whose replication was canceled.
    @Test(arguments: [true, false])
    func `a transaction whose replication was canceled fails, also if it writes nothing`(_ writes: Bool) async throws {
        let url = try PostgresClusterTrait.createDatabase()
        _ = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        let administrator = PostgresPool(url, limit: 1)
        try await Self.withoutStandby(administrator) {
            // A connection that was open before can still have the earlier setting.
            let storage = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
            try await Self.expectUnreplicated(storage, writes, administrator)
        }
    }

    private static func expectUnreplicated(
        _ storage: PostgresPurchaseStorage, _ writes: Bool, _ administrator: PostgresPool
    ) async throws {
        async let outcome = outcome { try await writes ? storage.checkWritable() : storage.write(.test) { _ in } }
        try await eventually {
            try await administrator.withConnection { connection in
                try connection.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'").count > 0
            }
        }
        #expect(try await outcome == .unreplicated)
        // A transaction that only reads does not wait.
        #expect(try await storage.read(.test) { _ in true })
        try await setStandby("", administrator)
        try await storage.write(.test) { _ in }
    }

    /// Runs `body` while commits wait for a standby that does not exist, and never leaves the server in this state.
    private static func withoutStandby(_ administrator: PostgresPool, _ body: () async throws -> Void) async throws {
        do {
            try await setStandby("absent", administrator)
            try await body()
        } catch {
            try? await setStandby("", administrator)
            throw error
        }
    }

    private static func outcome(_ write: () async throws -> Void) async throws -> StorageError? {
        do {
            try await write()
            return nil
        } catch let error as StorageError {
            return error
        }
    }

    private static func setStandby(_ name: String, _ administrator: PostgresPool) async throws {
        try await administrator.withConnection { connection in
            _ = try connection.query("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
            _ = try connection.query("SELECT pg_reload_conf()")
        }
        // The server reads the setting a little later.
        try await eventually {
            try await administrator.withConnection {
                try $0.query("SHOW synchronous_standby_names").first?.text("synchronous_standby_names") == name
            }
        }
    }
}
