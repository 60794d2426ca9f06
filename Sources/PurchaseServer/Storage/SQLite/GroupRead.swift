import GRDB
import Synchronization

/// Reads a SQLite database for many concurrent requests in few transactions.
///
/// Starting and ending a transaction takes longer than most reads. Two transactions run at the same time, on connections of their own. A
/// request that arrives while both are slow starts another one. Requests that arrive while all are busy share the next one. A transaction
/// starts after its requests, so each of them reads what was committed before it.
final class GroupRead: Sendable {
    /// The number of transactions at the same time; more would serve fewer requests each, and wait for each other.
    static let lanes = 2
    /// The number of transactions at the same time if the others are slow, one less than the connections that GRDB opens for readers.
    static let lanesIfSlow = 4
    /// The time after which a transaction is slow, such as one that reads a long history.
    static let patience: Duration = .milliseconds(20)
    /// The number of requests that can wait; more requests fail at once, because a client would not wait for them.
    static let limit = 4_096
    /// The number of requests in one transaction, which limits the time for which a request waits for slower ones.
    static let batchSize = 32

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
        /// When the latest transaction began.
        var latest: ContinuousClock.Instant

        /// Occupies a lane for a transaction that begins now; returns false if all are busy.
        mutating func takeLane(at now: ContinuousClock.Instant) -> Bool {
            let isSlow = latest.duration(to: now) > GroupRead.patience
            guard busyLanes < (isSlow ? GroupRead.lanesIfSlow : GroupRead.lanes) else { return false }
            busyLanes += 1
            latest = now
            return true
        }
    }

    private enum Turn {
        case now, later, never
    }

    private let reader: any DatabaseReader
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ reader: any DatabaseReader, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.reader = reader
        self.now = now
        state = Mutex(State(latest: now()))
    }

    /// The number of requests that wait for a transaction.
    var waiting: Int { state.withLock { $0.jobs.count } }

    /// Returns what `body` reads.
    ///
    /// - Throws: The error of `body`; ``StorageError`` if the database can't be read.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard state.withLock({ $0.takeLane(at: now()) }) else { return try await enqueue(body) }
        defer { if !freeLane() { Task.detached { await self.readAll() } } }
        do {
            return try await reader.read(body)
        } catch {
            throw StorageError(error) ?? error
        }
    }

    /// Frees the caller's lane; returns false if requests wait, for which the lane stays occupied.
    private func freeLane() -> Bool {
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
                return state.takeLane(at: now()) ? .now : .later
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
            state.latest = now()
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
