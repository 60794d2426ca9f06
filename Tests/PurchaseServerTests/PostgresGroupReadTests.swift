import Foundation
import LibPQ
import PostgresTestSupport
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the requests to PostgreSQL that concurrent reads share.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct PostgresGroupReadTests {
    /// A database with a table of 100 numbers and their squares.
    private struct Sample {
        let url: String
        let pool: PostgresPool
        let reads: PostgresGroupRead

        init() async throws {
            url = try PostgresClusterTrait.createDatabase()
            pool = PostgresPool(url, limit: 2)
            let now = ContinuousClock.now
            reads = PostgresGroupRead(pool, limit: 2, now: { now })
            try await change(
                "CREATE TABLE square AS SELECT i::bigint AS number, (i * i)::bigint AS square FROM generate_series(1, 100) AS n(i)")
        }

        func change(_ sql: String) async throws {
            try await pool.withConnection { _ = try $0.query(sql) }
        }

        static func square(of number: Int64, _ connection: any SQLConnection) throws -> Int64? {
            try connection.query("SELECT square FROM square WHERE number = ?", [number.sqlValue], limit: 1) { try $0.integer("square") }
                .first ?? nil
        }

        /// Runs `requests` while all lanes are busy, so that they share the next batch, and returns their results in their order.
        func together<Value: Sendable>(_ requests: [@Sendable () async throws -> Value]) async throws -> [Result<Value, any Error>] {
            let gates = (0..<2).map { _ in Gate() }
            defer { for gate in gates { gate.open() } }
            var holders: [Task<Void, any Error>] = []
            for gate in gates {
                holders.append(Task { try await reads.read { _ in gate.wait() } })
                // Otherwise both could be in one batch.
                try await eventually { gate.isReached }
            }
            return try await withThrowingTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
                for (index, request) in requests.enumerated() {
                    group.addTask {
                        do {
                            return (index, .success(try await request()))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                }
                try await eventually { reads.waiting == requests.count }
                gates[0].open()
                let results = try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
                gates[1].open()
                for holder in holders { try await holder.value }
                return results
            }
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test func `reads that wait send their queries together, the second ones, too`() async throws {
        let sample = try await Sample()
        let results = try await sample.together(
            (1...32).map { (number: Int64) in
                { @Sendable in
                    try await sample.reads.read { connection in
                        // The first query has an argument of its own, the second one the result of the first.
                        let square = try #require(try Sample.square(of: number % 9 + 1, connection))
                        let fourth = try Sample.square(of: square, connection)
                        // The beginning of the transaction, which statements that are sent together share.
                        let times = try connection.query("SELECT now()::text AS time", [], limit: 1) { try $0.text("time") }
                        return (fourth, times[0])
                    }
                }
            })
        let values = try results.map { try $0.get() }
        for (index, value) in values.enumerated() {
            let base = Int64(index + 1) % 9 + 1
            #expect(value.0 == base * base * base * base)
        }
        #expect(Set(values.map { $0.1 }).count == 1)
    }

    @Test func `the error of a read reaches only its caller`() async throws {
        let sample = try await Sample()
        let results = try await sample.together(
            (1...20).map { (number: Int64) in
                { @Sendable in
                    try await sample.reads.read { connection in
                        switch number {
                        case 3: throw Refusal()
                        case 7: try connection.query("SELECT * FROM missing", [], limit: 1) { _ in nil as Int64? }.first ?? nil
                        case 11:
                            try connection.query("SELECT 1 / (? - 11) AS one", [number.sqlValue], limit: 1) { try $0.integer("one") }[0]
                        default: try Sample.square(of: number, connection)
                        }
                    }
                }
            })
        for (index, result) in results.enumerated() {
            switch (index + 1, result) {
            case (3, .failure(let error)): #expect(error is Refusal)
            case (7, .failure(let error)): #expect((error as? PostgresError)?.sqlState == "42P01")
            case (11, .failure(let error)): #expect((error as? PostgresError)?.sqlState == "22012")
            case (let number, .success(let square)): #expect(square == Int64(number * number))
            case (let number, .failure(let error)): Issue.record("\(number): \(error)")
            }
        }
    }

    @Test func `a read sees what was committed before it`() async throws {
        let sample = try await Sample()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    while try await sample.reads.read({ try Sample.square(of: 1, $0) }) != 50 {}
                }
            }
            for number in 2...50 {
                try await sample.change("UPDATE square SET square = \(number) WHERE number = 1")
                let square = try await sample.reads.read { try Sample.square(of: 1, $0) }
                #expect(square == Int64(number))
            }
            try await group.waitForAll()
        }
    }

    /// A body runs again for each query, and the time or another thread can have changed what it asks for.
    @Test func `a read that repeats with another query receives the result of that query`() async throws {
        let sample = try await Sample()
        let runs = Mutex<Int64>(0)
        let squares = try await sample.reads.read { connection in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            return [try Sample.square(of: min(run, 3), connection), try Sample.square(of: 10, connection)]
        }
        #expect(squares == [9, 100])
    }

    @Test func `a read with many queries ends, and a write in a read is refused`() async throws {
        let sample = try await Sample()
        let sum = try await sample.reads.read { connection in
            try (1...100).reduce(0) { try $0 + (Sample.square(of: $1, connection) ?? 0) }
        }
        #expect(sum == 338_350)
        await #expect(throws: StorageError.self) { try await sample.reads.read { try $0.execute("DELETE FROM square", []) } }
    }

    @Test func `reads fail without a database, and succeed when it is there again`() async throws {
        let sample = try await Sample()
        let administrator = PostgresPool(sample.url, limit: 1)
        _ = try await sample.reads.read { try Sample.square(of: 1, $0) }
        let terminated = try await administrator.withConnection { connection in
            let others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            return try connection.query("SELECT pg_terminate_backend(pid) \(others)").count
        }
        #expect(terminated >= 1)
        try await eventually { (try? await sample.reads.read { try Sample.square(of: 2, $0) }) == 4 }
        let nowhere = PostgresGroupRead(PostgresPool("host=/nowhere", limit: 2), limit: 2)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { await #expect(throws: PostgresError.self) { try await nowhere.read { try Sample.square(of: 1, $0) } } }
            }
        }
    }
}
