import Synchronization

/// The limits of a ``BatchQueue``.
struct BatchLimits: Sendable {
    /// The number of batches at the same time.
    var lanes: Int
    /// The number of batches at the same time if the others are slow.
    var lanesIfSlow: Int
    /// The number of requests in one batch, which limits the time for which a request waits for others.
    var batchSize: Int
    /// The time after which a batch is slow.
    var patience: Duration = .milliseconds(20)
    /// The number of requests that can wait; more requests fail at once, because a client would not wait for them.
    var waiting = 4_096
}

/// Runs requests that wait in batches, a limited number of batches at the same time.
///
/// A batch begins at once while a lane is free. Requests that arrive while all lanes are busy wait, and a lane that becomes free takes the
/// oldest of them together. A batch therefore begins after its requests arrived.
final class BatchQueue<Job: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var busyLanes = 0
        /// When the latest batch began.
        var latest: ContinuousClock.Instant

        /// Occupies a lane for a batch that begins now; returns false if all are busy.
        mutating func takeLane(at now: ContinuousClock.Instant, _ limits: BatchLimits) -> Bool {
            let isSlow = latest.duration(to: now) > limits.patience
            guard busyLanes < (isSlow ? limits.lanesIfSlow : limits.lanes) else { return false }
            busyLanes += 1
            latest = now
            return true
        }

        /// Removes the oldest jobs, at most `limit`.
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

    /// Adds a request; returns false if too many wait.
    ///
    /// - Parameter run: Runs a batch, and reports to each of its requests.
    func add(_ job: Job, run: @escaping @Sendable ([Job]) async -> Void) -> Bool {
        let turn: Turn = state.withLock { state in
            guard state.jobs.count < limits.waiting else { return .never }
            state.jobs.append(job)
            return state.takeLane(at: now(), limits) ? .now : .later
        }
        if turn == .now { startLane(run) }
        return turn != .never
    }

    /// Occupies a lane for a request that its caller runs; returns false if all are busy.
    func takeLane() -> Bool {
        state.withLock { $0.takeLane(at: now(), limits) }
    }

    /// Ends the use of a lane that ``takeLane()`` has occupied.
    func freeLane(run: @escaping @Sendable ([Job]) async -> Void) {
        let isFree = state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            state.busyLanes -= 1
            return true
        }
        // Requests have arrived in the meantime; the lane stays occupied for them.
        if !isFree { startLane(run) }
    }

    /// Removes all requests that wait.
    func takeAll() -> [Job] {
        state.withLock { $0.takeJobs(limit: .max) }
    }

    /// Runs batches in an occupied lane until no request waits.
    private func startLane(_ run: @escaping @Sendable ([Job]) async -> Void) {
        // The task is detached, because canceling one caller must not interrupt the requests of others.
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
