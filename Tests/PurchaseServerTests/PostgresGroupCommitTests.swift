import Foundation
import LibPQ
import PostgresTestSupport
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the transactions that concurrent writes to PostgreSQL share.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct PostgresGroupCommitTests {
    /// A database with a table of numbered notes, and a clock that stands still.
    private struct Sample {
        let pool: PostgresPool
        let commits: PostgresGroupCommit
        let milliseconds = SharedNumber()

        init() async throws {
            pool = PostgresPool(try PostgresClusterTrait.createDatabase(), limit: 4)
            let start = ContinuousClock.now
            commits = PostgresGroupCommit(pool, limit: 4, now: { [milliseconds] in start + .milliseconds(milliseconds.value) })
            try await PostgresSchema.migrate(pool)
            try await pool.withConnection { _ = try $0.query("CREATE TABLE note (id bigint PRIMARY KEY, transaction text NOT NULL)") }
        }

        /// Inserts a note, and returns the transaction that did it.
        @discardableResult
        func insert(_ id: Int, then end: @escaping @Sendable (PostgresTransactionConnection) throws -> Void = { _ in }) async throws
            -> String
        {
            try await commits.write { connection in
                let transaction = try Self.transaction(connection)
                try connection.execute("INSERT INTO note (id, transaction) VALUES (?, ?)", [id.sqlValue, transaction.sqlValue])
                try end(connection)
                return transaction
            }.value
        }

        static func transaction(_ connection: PostgresTransactionConnection) throws -> String {
            let rows = try connection.query("SELECT txid_current()::text AS id", [], limit: 1) { try $0.text("id") }
            return try #require(rows.first ?? nil)
        }

        /// The notes, with the transactions that inserted them.
        func notes() async throws -> [Int64: String] {
            let rows = try await pool.withConnection { connection in
                try connection.query("SELECT id, transaction FROM note").map { (try $0.int64("id"), try $0.text("transaction")) }
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }

        /// Runs `requests` while a transaction holds the lane, and returns their results, in their order.
        func together<Value: Sendable>(_ requests: [@Sendable () async throws -> Value]) async throws -> [Result<Value, any Error>] {
            let gate = Gate()
            let holder = Task { _ = try await commits.write { _ in gate.wait() } }
            defer { gate.open() }
            try await eventually { gate.isReached }
            return try await withThrowingTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
                for (index, request) in requests.enumerated() {
                    group.addTask {
                        do {
                            return (index, .success(try await request()))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                    // One after the other, so that their order is known.
                    try await eventually { commits.waiting == index + 1 }
                }
                gate.open()
                try await holder.value
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test func `writes that arrive during a commit share the next one`() async throws {
        let sample = try await Sample()
        let results = try await sample.together((0..<64).map { id in { @Sendable in try await sample.insert(id) } })
        let transactions = try results.map { try $0.get() }
        // 32 in each transaction.
        #expect(Set(transactions).count == 2 && transactions[0] == transactions[31] && transactions[32] == transactions[63])
        #expect(try await sample.notes().count == 64)
    }

    @Test func `a refusal without changes reaches only its caller, and does not divide the others`() async throws {
        let sample = try await Sample()
        let results = try await sample.together([
            { @Sendable in try await sample.insert(1) },
            { @Sendable in try await sample.commits.write { _ in throw Refusal() }.value },
            { @Sendable in try await sample.insert(2) },
        ])
        #expect(throws: Refusal()) { try results[1].get() }
        #expect(try results[0].get() == results[2].get())
    }

    /// A request that fails after its changes.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: @Sendable (PostgresTransactionConnection) throws -> Void
        let isExpected: @Sendable (any Error) -> Bool
    }

    @Test(arguments: [
        Failure(testDescription: "an error of the caller", end: { _ in throw Refusal() }, isExpected: { $0 is Refusal }),
        Failure(
            testDescription: "a duplicate key, which the database reports at the next query",
            end: { try $0.execute("INSERT INTO note (id, transaction) VALUES (-1, ''), (-1, '')", []) },
            isExpected: { ($0 as? PostgresError)?.sqlState == "23505" }),
        Failure(
            testDescription: "an error that the caller ignores",
            end: { _ = try? $0.changes("UPDATE missing SET id = 1", []) },
            isExpected: { $0 is PostgresError }),
    ])
    func `a request that fails after its changes is undone, and the others are committed`(_ failure: Failure) async throws {
        let sample = try await Sample()
        let results = try await sample.together(
            (0..<20).map { id in { @Sendable in try await id == 7 ? sample.insert(id, then: failure.end) : sample.insert(id) } })
        for (id, result) in results.enumerated() where id != 7 { #expect(throws: Never.self) { try result.get() } }
        do {
            _ = try results[7].get()
            Issue.record("The request succeeded.")
        } catch {
            #expect(failure.isExpected(error))
        }
        let notes = try await sample.notes()
        #expect(notes.keys.sorted() == (0..<20).filter { $0 != 7 })
        // What was returned is what was committed.
        for (id, result) in results.enumerated() where id != 7 { #expect(try notes[Int64(id)] == result.get()) }
    }

    @Test func `a refusal is not based on changes that are undone`() async throws {
        let sample = try await Sample()
        let results = try await sample.together([
            { @Sendable in try await sample.insert(1) { _ in throw Refusal() } },
            { @Sendable in
                try await sample.commits.write { connection in
                    let count = try connection.query("SELECT id FROM note", [], limit: 9) { try $0.integer("id") }.count
                    guard count == 0 else { throw Refusal() }
                    return "empty"
                }.value
            },
        ])
        #expect(throws: Refusal()) { try results[0].get() }
        #expect(try results[1].get() == "empty")
    }

    @Test func `writes do not wait for a slow transaction`() async throws {
        let sample = try await Sample()
        let gate = Gate()
        async let slow: Void = sample.commits.write { _ in gate.wait() }.value
        defer { gate.open() }
        try await eventually { gate.isReached }
        async let waiting = sample.insert(1)
        try await eventually { sample.commits.waiting == 1 }
        sample.milliseconds.set(501)
        async let later = sample.insert(2)
        #expect(try await waiting == later)
        gate.open()
        try await slow
    }

    @Test func `servers that conflict with each other repeat their transactions, and lose no change`() async throws {
        let sample = try await Sample()
        try await sample.insert(0)
        let servers = (0..<3).map { _ in PostgresGroupCommit(sample.pool, limit: 1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    _ = try await servers[number % 3].write { connection in
                        let text = try #require(
                            try connection.query("SELECT transaction FROM note WHERE id = 0", [], limit: 1) { try $0.text("transaction") }[
                                0])
                        try connection.execute("UPDATE note SET transaction = ? WHERE id = 0", [(text + ".").sqlValue])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await sample.notes()[0]?.filter { $0 == "." }.count == 60)
    }
}

/// A number that tasks share.
private final class SharedNumber: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func set(_ value: Int) { number.withLock { $0 = value } }
}
