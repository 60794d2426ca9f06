import Synchronization

/// A clock whose sleeps end only when a test ends them.
public final class TestClock: Clock {
    private struct State {
        var now = ContinuousClock.now
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var sleepDurations: [Duration] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a clock that shows the current time and does not advance.
    public init() {}

    /// The clock's current time.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }
    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The durations of all sleeps that were begun, in order.
    public var sleepDurations: [Duration] { state.withLock { $0.sleepDurations } }

    /// Advances the time without ending a sleep.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// Sleeps until a test ends the sleep or the task is canceled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    guard state.cancelled.remove(id) == nil else {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    state.sleepDurations.append(state.now.duration(to: deadline))
                    state.sleepers[id] = continuation
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters { waiter.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until a task sleeps.
    public func waitForSleep() async {
        await withCheckedContinuation { continuation in
            let isAsleep = state.withLock { state in
                if state.sleepers.isEmpty { state.waiters.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isAsleep { continuation.resume() }
        }
    }

    /// Waits until a task sleeps, and ends all sleeps.
    public func endSleeps() async {
        await waitForSleep()
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers.values
        }
        for sleeper in sleepers { sleeper.resume() }
    }

    /// Ends all sleeps while a closure runs, also those that begin meanwhile.
    public func endingSleeps<Result>(
        isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Result
    ) async rethrows -> Result {
        let ending = Task { while !Task.isCancelled { await endSleeps() } }
        let result: Result
        do {
            result = try await body()
        } catch {
            await end(ending)
            throw error
        }
        await end(ending)
        return result
    }

    /// Ends a task that waits for a sleep, by letting it end a last one.
    private func end(_ ending: Task<Void, Never>) async {
        ending.cancel()
        // The clock is this one, on which no time passes.
        let last = Task { try await self.sleep(until: now, tolerance: nil) }
        await ending.value
        last.cancel()
    }

    /// Waits until the durations of the sleeps that were begun meet a condition.
    public func waitForSleeps(where isMet: @Sendable ([Duration]) -> Bool) async {
        while !isMet(sleepDurations) {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if isMet(state.sleepDurations) { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }
}
