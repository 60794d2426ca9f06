import LibPQ
import PostgresTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

/// Tests of writes that PostgreSQL commits without its synchronous standby.
@Suite(.postgresCluster, .serialized, .timeLimit(.minutes(1))) struct PostgresReplicationTests {
    /// A transaction that writes nothing can confirm the rows of one whose replication was canceled.
    @Test(arguments: [true, false])
    func `a transaction whose replication was canceled fails, also if it writes nothing`(_ writes: Bool) async throws {
        let url = try PostgresClusterTrait.createDatabase()
        let storage = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 1))
        let administrator = PostgresPool(url, limit: 1)
        try await Self.setStandby("absent", administrator)
        async let outcome = Self.outcome { try await writes ? storage.checkWritable() : storage.write(.test) { _ in } }
        try await eventually(within: .seconds(30)) {
            try await administrator.withConnection { connection in
                try connection.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'").count > 0
            }
        }
        #expect(try await outcome == .unreplicated)
        // A transaction that only reads does not wait.
        #expect(try await storage.read(.test) { _ in true })
        try await Self.setStandby("", administrator)
        try await storage.write(.test) { _ in }
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
