import Foundation
import PostgresTestSupport
import PurchaseTestSupport
import Testing

@testable import LibPQ

extension PostgresServerTests {
    @Suite struct PostgresPoolTests {
        private let database: String

        init() throws {
            database = try PostgresClusterTrait.createDatabase()
        }

        /// Returns the identifier of the server process that serves a connection.
        private static func backend(_ connection: borrowing PostgresConnection) throws -> Int64 {
            try #require(try connection.query("SELECT pg_backend_pid() AS pid").first).int64("pid")
        }

        @Test func `no more connections are open than the limit allows`() async throws {
            let pool = PostgresPool(database, limit: 2)
            let open = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await pool.withConnection { connection in
                            let count = """
                                SELECT count(*) FROM pg_stat_activity
                                WHERE datname = current_database() AND backend_type = 'client backend'
                                """
                            return try #require(try connection.query(count).first).int64("count")
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(open.count == 12)
            #expect(open.allSatisfy { $0 <= 2 })
        }

        @Test func `as many bodies run concurrently as the limit allows`() async throws {
            let pool = PostgresPool(database, limit: 3)
            #expect(try await Self.advisoryLockWaiters(on: pool, count: 3, in: database) == 3)
        }

        @Test func `waiting statements do not block other tasks`() async throws {
            // There are more bodies than threads that run tasks. If a statement blocked such a thread, the last body would not start.
            let count = ProcessInfo.processInfo.activeProcessorCount + 2
            let pool = PostgresPool(database, limit: count)
            #expect(try await Self.advisoryLockWaiters(on: pool, count: count, in: database) == count)
        }

        /// Runs `count` bodies that wait for an advisory lock, and returns how many acquired it.
        ///
        /// The lock is released when all bodies have started.
        private static func advisoryLockWaiters(
            on pool: PostgresPool,
            count: Int,
            in database: String
        ) async throws -> Int {
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let holder = PostgresPool(database, limit: 1)
            try await holder.withConnection { _ = try $0.query("SELECT pg_advisory_lock(1)") }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await pool.withConnection { connection in
                            // With the timeout, a regression fails the test instead of blocking it.
                            try connection.query("SET lock_timeout = '20s'")
                            start.yield()
                            try connection.query("SELECT pg_advisory_lock_shared(1)")
                        }
                    }
                }
                var startedCount = 0
                for await _ in starts {
                    startedCount += 1
                    if startedCount == count { break }
                }
                try await holder.withConnection { _ = try $0.query("SELECT pg_advisory_unlock(1)") }
                return try await group.reduce(into: 0) { served, _ in served += 1 }
            }
        }

        @Test func `a connection is reused`() async throws {
            let pool = PostgresPool(database, limit: 4)
            let first = try await pool.withConnection { try Self.backend($0) }
            let second = try await pool.withConnection { try Self.backend($0) }
            #expect(first == second)
        }

        @Test func `an idle connection that the server closed is replaced without an error`() async throws {
            let pool = PostgresPool(database, limit: 1)
            let killed = try await pool.withConnection { try Self.backend($0) }
            let administrator = try PostgresConnectionBox(database)
            let row = try administrator.row("SELECT pg_terminate_backend($1::int, 10000) AS dead", [.int64(killed)])
            #expect(try row.bool("dead"))
            #expect(try await pool.withConnection { try Self.backend($0) } != killed)
        }

        @Test func `a connection that the server closes in use is an error once and is then replaced`() async throws {
            let pool = PostgresPool(database, limit: 1)
            let lost = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    _ = try connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            guard case .unreachable = lost else {
                Issue.record("expected .unreachable, not \(String(reflecting: lost))")
                return
            }
            #expect(try await pool.withConnection { try Self.backend($0) } > 0)
        }

        @Test func `a connection with an open transaction is not reused`() async throws {
            let pool = PostgresPool(database, limit: 1)
            let left = try await pool.withConnection { connection in
                try connection.query("BEGIN")
                return try Self.backend(connection)
            }
            #expect(try await pool.withConnection { try Self.backend($0) } != left)
        }

        @Test func `a connection whose body threw is reused`() async throws {
            struct RollbackError: Error {}
            let pool = PostgresPool(database, limit: 1)
            let before = try await pool.withConnection { try Self.backend($0) }
            await #expect(throws: RollbackError.self) {
                try await pool.withConnection { _ in throw RollbackError() }
            }
            #expect(try await pool.withConnection { try Self.backend($0) } == before)
        }

        @Test func `a pooled transaction that throws is rolled back`() async throws {
            struct RollbackError: Error {}
            let pool = PostgresPool(database, limit: 1)
            await #expect(throws: RollbackError.self) {
                try await pool.withTransaction { connection in
                    try connection.query("CREATE TABLE regrets (id int)")
                    throw RollbackError()
                }
            }
            let table = try await pool.withConnection { connection in
                try #require(try connection.query("SELECT to_regclass('regrets') AS name").first).textOrNull("name")
            }
            #expect(table == nil)
        }

        @Test(arguments: [true, false])
        func `a canceled wait ends immediately and leaks no connection`(_ isQueued: Bool) async throws {
            let pool = PostgresPool(database, limit: 1)
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let occupant = Task {
                try await pool.withConnection { _ in
                    beginning.yield()
                    _ = release.wait(timeout: .now() + 20)
                }
            }
            for await _ in begun { break }

            let waiter = Task { try await pool.withConnection { try Self.backend($0) } }
            try await eventually { !isQueued || pool.waiterCount > 0 }
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }

            release.signal()
            try await occupant.value
            #expect(try await pool.withConnection { try Self.backend($0) } > 0)
        }
    }
}
