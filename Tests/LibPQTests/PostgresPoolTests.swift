import Foundation
import Testing

@testable import LibPQ

extension WithServer {
    @Suite struct PostgresPoolTests {
        private let database: String

        init() throws {
            database = try PostgresClusterTrait.makeDatabase()
        }

        /// The server's name for the process behind a connection.
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

        @Test func `as many bodies run side by side as the limit allows`() async throws {
            let pool = PostgresPool(database, limit: 3)
            #expect(try await Self.advisoryLockWaiters(on: pool, count: 3, in: database) == 3)
        }

        @Test func `statements that wait do not hold up other tasks`() async throws {
            // More than the threads that run tasks: if one of those waited in libpq, the last to arrive never would.
            let count = ProcessInfo.processInfo.activeProcessorCount + 2
            let pool = PostgresPool(database, limit: count)
            #expect(try await Self.advisoryLockWaiters(on: pool, count: count, in: database) == count)
        }

        /// Sends `count` bodies to wait for a lock that is let go when all have arrived, and returns how many got it.
        private static func advisoryLockWaiters(
            on pool: PostgresPool,
            count: Int,
            in database: String
        ) async throws -> Int {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let holder = PostgresPool(database, limit: 1)
            try await holder.withConnection { _ = try $0.query("SELECT pg_advisory_lock(1)") }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await pool.withConnection { connection in
                            // A promise broken here shall fail the test, not hang it.
                            try connection.query("SET lock_timeout = '20s'")
                            arrival.yield()
                            try connection.query("SELECT pg_advisory_lock_shared(1)")
                        }
                    }
                }
                var arrived = 0
                for await _ in arrivals {
                    arrived += 1
                    if arrived == count { break }
                }
                try await holder.withConnection { _ = try $0.query("SELECT pg_advisory_unlock(1)") }
                return try await group.reduce(into: 0) { served, _ in served += 1 }
            }
        }

        @Test func `a connection is used again`() async throws {
            let pool = PostgresPool(database, limit: 4)
            let first = try await pool.withConnection { try Self.backend($0) }
            let second = try await pool.withConnection { try Self.backend($0) }
            #expect(first == second)
        }

        @Test func `a connection killed while nobody used it is replaced unnoticed`() async throws {
            let pool = PostgresPool(database, limit: 1)
            let killed = try await pool.withConnection { try Self.backend($0) }
            let executioner = try PostgresConnectionBox(database)
            let row = try executioner.row("SELECT pg_terminate_backend($1::int, 10000) AS dead", [.int64(killed)])
            #expect(try row.bool("dead"))
            #expect(try await pool.withConnection { try Self.backend($0) } != killed)
        }

        @Test func `a connection killed in use is an error once, then replaced`() async throws {
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

        @Test func `a connection left in a transaction is not lent again`() async throws {
            let pool = PostgresPool(database, limit: 1)
            let left = try await pool.withConnection { connection in
                try connection.query("BEGIN")
                return try Self.backend(connection)
            }
            #expect(try await pool.withConnection { try Self.backend($0) } != left)
        }

        @Test func `a connection whose body threw is lent again`() async throws {
            struct ChangeOfMind: Error {}
            let pool = PostgresPool(database, limit: 1)
            let before = try await pool.withConnection { try Self.backend($0) }
            await #expect(throws: ChangeOfMind.self) {
                try await pool.withConnection { _ in throw ChangeOfMind() }
            }
            #expect(try await pool.withConnection { try Self.backend($0) } == before)
        }

        @Test func `a pooled transaction that throws leaves nothing behind`() async throws {
            struct ChangeOfMind: Error {}
            let pool = PostgresPool(database, limit: 1)
            await #expect(throws: ChangeOfMind.self) {
                try await pool.withTransaction { connection in
                    try connection.query("CREATE TABLE regrets (id int)")
                    throw ChangeOfMind()
                }
            }
            let table = try await pool.withConnection { connection in
                try #require(try connection.query("SELECT to_regclass('regrets') AS name").first).textOrNull("name")
            }
            #expect(table == nil)
        }

        @Test(arguments: [true, false])
        func `a cancelled wait ends at once and costs no connection`(_ isInLine: Bool) async throws {
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
            while isInLine, pool.lineLength == 0, !Task.isCancelled { await Task.yield() }
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }

            release.signal()
            try await occupant.value
            #expect(try await pool.withConnection { try Self.backend($0) } > 0)
        }
    }
}
