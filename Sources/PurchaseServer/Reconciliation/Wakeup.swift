import Synchronization

/// Ends the pause of a background service early when the service has a new task.
final class Wakeup: Sendable {
    private enum State {
        case idle
        /// The service was woken while busy, so the next pause ends at once.
        case pending
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Ends the current pause, or the next pause of a busy service.
    func wake() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { if case .waiting = state { state = .idle } else { state = .pending } }
            if case .waiting(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume()
    }

    /// Waits until ``wake()`` is called, the duration has passed, or the task is canceled; only one task may wait at a time.
    ///
    /// - Parameters:
    ///   - duration: The longest pause; nil for no limit.
    ///   - timer: The clock of the pause.
    func wait(for duration: Duration?, on timer: any Clock<Duration>) async {
        await withTaskGroup(of: Void.self) { group in
            if let duration {
                group.addTask {
                    do { try await timer.sleep(for: duration) } catch {}
                }
            }
            group.addTask { await self.waitForWake() }
            await group.next()
            group.cancelAll()
        }
    }

    private func waitForWake() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if case .idle = state, !Task.isCancelled {
                        state = .waiting(continuation)
                        return false
                    }
                    state = .idle
                    return true
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let waiter) = state else { return nil }
                state = .idle
                return waiter
            }
            waiter?.resume()
        }
    }
}
