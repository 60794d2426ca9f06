import GRDB
import Synchronization

/// Reads a SQLite database for many concurrent requests in few transactions.
///
/// Starting and ending a transaction takes longer than most reads. A few transactions run at the same time, on connections of their own.
/// Requests that arrive while all of these are busy share the next one. A transaction starts after its requests, so each of them reads what
/// was committed before it.
final class GroupRead: Sendable {
    /// The number of transactions at the same time, one less than the connections that GRDB opens for readers by default.
    static let lanes = 4
    /// The number of requests that can wait; more requests fail at once, because a client would not wait for them.
    static let limit = 4_096
    /// The number of requests in one transaction, which limits the time for which a request waits for slower ones.
    static let batchSize = 16

    /// A request that waits for a transaction.
    private struct Job: Sendable {
        /// Reads, and reports the result to the caller.
        let run: @Sendable (Database) -> Void
        /// Reports that nothing was read.
        let fail: @Sendable (StorageError) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var busyLanes = 0
    }

    private enum Turn {
        case now, later, never
    }

    private let reader: any DatabaseReader
    private let state = Mutex(State())

    init(_ reader: any DatabaseReader) {
        self.reader = reader
    }

    /// The number of requests that wait for a transaction.
    var waiting: Int { state.withLock { $0.jobs.count } }

    /// Returns what `body` reads.
    ///
    /// - Throws: The error of `body`; ``StorageError`` if the database can't be read.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard takeLane() else { return try await enqueue(body) }
        defer { if !isLaneFree() { Task.detached { await self.readAll() } } }
        do {
            return try await reader.read(body)
        } catch {
            throw StorageError(error) ?? error
        }
    }

    /// Occupies a lane; returns false if all are busy.
    private func takeLane() -> Bool {
        state.withLock { state in
            guard state.busyLanes < Self.lanes else { return false }
            state.busyLanes += 1
            return true
        }
    }

    /// Frees the caller's lane; returns false if requests wait, for which the lane stays occupied.
    private func isLaneFree() -> Bool {
        state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            state.busyLanes -= 1
            return true
        }
    }

    private func enqueue<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { db in continuation.resume(with: Result { try body(db) }.mapError { StorageError($0) ?? $0 }) },
                fail: { continuation.resume(throwing: $0) })
            let turn: Turn = state.withLock { state in
                guard state.jobs.count < Self.limit else { return .never }
                state.jobs.append(job)
                // A lane can have become free since the caller found all busy.
                guard state.busyLanes < Self.lanes else { return .later }
                state.busyLanes += 1
                return .now
            }
            switch turn {
            // The task is detached, because canceling one caller must not interrupt the reads of others.
            case .now: Task.detached { await self.readAll() }
            case .later: break
            case .never: job.fail(.overloaded)
            }
        }
    }

    /// Reads for the requests that wait, until none does.
    private func readAll() async {
        while let jobs = next() {
            do {
                try await reader.read { db in self.run(jobs, db) }
            } catch {
                // GRDB throws before it runs the closure, if the database is closed.
                for job in jobs { job.fail(StorageError(error) ?? .failed("\(type(of: error))")) }
            }
        }
    }

    private func next() -> [Job]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.busyLanes -= 1
                return nil
            }
            let jobs = Array(state.jobs.prefix(Self.batchSize))
            state.jobs.removeFirst(jobs.count)
            return jobs
        }
    }

    private func run(_ jobs: [Job], _ db: Database) {
        for job in jobs {
            // After some errors, such as those of the disk, SQLite has ended the transaction.
            if db.isInsideTransaction {
                job.run(db)
            } else {
                job.fail(.failed("ROLLBACK"))
            }
        }
    }
}
