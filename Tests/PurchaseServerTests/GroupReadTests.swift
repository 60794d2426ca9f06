import Foundation
import GRDB
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the transactions that concurrent reads share.
@Suite struct GroupReadTests {
    /// A database file with a counter, and the number of transactions that readers began.
    private struct Sample {
        let pool: DatabasePool
        let reads: GroupRead
        let begun = Counter()
        let milliseconds = Counter()

        init(_ path: String) throws {
            var configuration = Configuration()
            configuration.prepareDatabase { [begun] db in
                guard db.configuration.readonly else { return }
                db.trace { if "\($0)".hasPrefix("BEGIN") { begun.number.withLock { $0 += 1 } } }
            }
            pool = try DatabasePool(path: path, configuration: configuration)
            let start = ContinuousClock.now
            reads = GroupRead(pool) { [milliseconds] in start + .milliseconds(milliseconds.value) }
            try pool.write { try $0.execute(sql: "CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)") }
        }

        func increment() async throws {
            try await pool.write { try $0.execute(sql: "UPDATE counter SET value = value + 1") }
        }

        func value() async throws -> Int {
            try await reads.read { try Int.fetchOne($0, sql: "SELECT value FROM counter") ?? -1 }
        }

        /// Runs `body` while every lane has a read that does not end before `release` is called.
        func whileBusy(_ body: (_ release: @escaping @Sendable () -> Void) async throws -> Void) async throws {
            let gate = DispatchSemaphore(value: 0)
            let entered = Counter()
            let release = { @Sendable in for _ in 0..<GroupRead.limits.lanes { gate.signal() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<GroupRead.limits.lanes {
                    group.addTask {
                        try await reads.read { _ in
                            entered.number.withLock { $0 += 1 }
                            gate.wait()
                        }
                    }
                }
                // A failure releases the reads, too.
                defer { release() }
                try await eventually { entered.value == GroupRead.limits.lanes }
                try await body(release)
                release()
                try await group.waitForAll()
            }
        }
    }

    private final class Counter: Sendable {
        let number = Mutex(0)
        var value: Int { number.withLock { $0 } }
    }

    private struct Failure: Error {}

    private func withSample(_ body: (Sample) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in try await body(try Sample(folder.file("reads.sqlite").path())) }
    }

    @Test func `a read sees what was committed before it, however many reads run`() async throws {
        try await withSample { sample in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { while try await sample.value() < 50 {} } }
                for number in 1...50 {
                    try await sample.increment()
                    #expect(try await sample.value() == number)
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `reads that wait share transactions, and the error of one reaches only its caller`() async throws {
        try await withSample { sample in
            let finished = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await sample.whileBusy { release in
                    let begun = sample.begun.value
                    for number in 0..<60 {
                        group.addTask {
                            do {
                                let value = try await sample.reads.read { db in
                                    if number % 3 == 0 { throw Failure() }
                                    if number % 3 == 1 { try db.execute(sql: "SELECT * FROM missing") }
                                    return try Int.fetchOne(db, sql: "SELECT value FROM counter")
                                }
                                #expect(number % 3 == 2 && value == 0)
                            } catch is Failure {
                                #expect(number % 3 == 0)
                            } catch is StorageError {
                                #expect(number % 3 == 1)
                            }
                            finished.number.withLock { $0 += 1 }
                        }
                    }
                    try await eventually { sample.reads.waiting == 60 }
                    release()
                    try await eventually { finished.value == 60 }
                    // A transaction serves at most 32 reads.
                    #expect((2...4).contains(sample.begun.value - begun))
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `reads do not wait for slow ones`() async throws {
        try await withSample { sample in
            try await sample.whileBusy { _ in
                let finished = Counter()
                let read = { @Sendable () async throws in
                    #expect(try await sample.value() == 0)
                    finished.number.withLock { $0 += 1 }
                }
                let waiting = Task { try await read() }
                try await eventually { sample.reads.waiting == 1 }
                sample.milliseconds.number.withLock { $0 += 21 }
                let later = Task { try await read() }
                try await eventually { finished.value == 2 }
                for task in [waiting, later] { try await task.value }
            }
        }
    }

    @Test func `reads beyond the limit are refused at once, and the others are answered`() async throws {
        try await withSample { sample in
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await sample.whileBusy { release in
                    for _ in 0..<GroupRead.limits.waiting { group.addTask { () async throws in #expect(try await sample.value() == 0) } }
                    try await eventually { sample.reads.waiting == GroupRead.limits.waiting }
                    await #expect(throws: StorageError.overloaded) { try await sample.value() }
                    release()
                }
                try await group.waitForAll()
            }
            #expect(try await sample.value() == 0)
        }
    }

    @Test func `reads fail after the database was closed`() async throws {
        try await withSample { sample in
            try sample.pool.close()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { await #expect(throws: StorageError.self) { try await sample.value() } } }
            }
        }
    }
}
