import DequeModule
import Synchronization

/// The limits of a ``BatchQueue``.
struct BatchLimits: Sendable {
    /// The maximum number of concurrent batches.
    var lanes: Int
    /// The maximum number of concurrent batches while the latest batch is slow.
    var lanesIfSlow: Int
    /// The maximum number of requests in one batch, which limits the time that a request waits for the other requests of its batch.
    var batchSize: Int
    /// The time after which a batch is slow.
    var patience: Duration = .milliseconds(20)
    /// The maximum number of waiting requests; further requests fail immediately instead of after a long wait.
    var waiting = 4_096
}

/// Runs waiting requests in batches, with a limited number of concurrent batches.
///
/// A lane runs one batch at a time. A batch begins at once if a lane is free. Requests that arrive while all lanes are busy wait; the next
/// free lane runs the oldest requests as one batch. A batch begins after the arrival of all its requests.
final class BatchQueue<Job: Sendable>: Sendable {
    private struct State {
        var jobs: Deque<Job> = []
        var busyLanes = 0
        /// The beginning of the latest batch.
        var latest: ContinuousClock.Instant

        /// Occupies a lane for a batch that begins now; returns false if all lanes are busy.
        mutating func takeLane(at now: ContinuousClock.Instant, _ limits: BatchLimits) -> Bool {
            let isSlow = latest.duration(to: now) > limits.patience
            guard busyLanes < (isSlow ? limits.lanesIfSlow : limits.lanes) else { return false }
            busyLanes += 1
            latest = now
            return true
        }

        /// Removes and returns the oldest jobs, at most `limit`.
        mutating func takeJobs(limit: Int) -> [Job] {
            let taken = Array(jobs.prefix(limit))
            jobs.removeFirst(taken.count)
            return taken
        }
    }

    private enum Turn {
        case now, later, never
    }

    private let limits: BatchLimits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ limits: BatchLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.limits = limits
        self.now = now
        state = Mutex(State(latest: now()))
    }

    /// The number of requests that wait for a batch.
    var waiting: Int { state.withLock { $0.jobs.count } }

    /// Adds a request to the queue; returns false if too many requests wait.
    ///
    /// - Parameter run: Runs a batch, and reports each result to the caller of the request.
    func add(_ job: Job, run: @escaping @Sendable ([Job]) async -> Void) -> Bool {
        let turn: Turn = state.withLock { state in
            guard state.jobs.count < limits.waiting else { return .never }
            state.jobs.append(job)
            return state.takeLane(at: now(), limits) ? .now : .later
        }
        if turn == .now { startLane(run) }
        return turn != .never
    }

    /// Occupies a lane for a request that the caller runs; returns false if all lanes are busy.
    func takeLane() -> Bool {
        state.withLock { $0.takeLane(at: now(), limits) }
    }

    /// Ends the use of a lane by the caller of ``takeLane()``; the lane runs the waiting requests, or becomes free.
    func freeLane(run: @escaping @Sendable ([Job]) async -> Void) {
        let isFree = state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            state.busyLanes -= 1
            return true
        }
        // Keep the lane occupied for the requests that have arrived since ``takeLane()``.
        if !isFree { startLane(run) }
    }

    /// Removes and returns all waiting requests.
    func takeAll() -> [Job] {
        state.withLock { $0.takeJobs(limit: .max) }
    }

    /// Runs batches in an occupied lane until no request waits.
    private func startLane(_ run: @escaping @Sendable ([Job]) async -> Void) {
        // Detach the task, because canceling one caller must not interrupt the requests of other callers.
        Task.detached {
            while let jobs = self.next() { await run(jobs) }
        }
    }

    private func next() -> [Job]? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.busyLanes -= 1
                return nil
            }
            state.latest = now()
            return state.takeJobs(limit: limits.batchSize)
        }
    }
}
