import Synchronization

/// Ends an app session at a step that the script has chosen, as SIGKILL does: what was not durable is lost, and nothing follows.
///
/// The code of the session continues to run, because nothing can stop it from outside. It reaches neither the network nor a disk: a fuse
/// copies the disk at the end of the session, and the next session continues with the copy.
final class SessionFuse: Sendable {
    /// The error of everything that a session tries after its end.
    struct Ended: Error {}

    private struct State {
        /// The number of steps until the end; nil for a session that is not to end.
        var steps: Int?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let atEnd: @Sendable () -> Void

    /// Creates the fuse of a session, which calls `atEnd` when the session ends, before anything else happens.
    init(atEnd: @escaping @Sendable () -> Void) {
        self.atEnd = atEnd
    }

    /// Ends the session at a further step; nil to let it live.
    func end(after steps: Int?) {
        state.withLock { $0.steps = steps }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends the session now.
    func end() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            atEnd()
        }
    }

    /// Counts a step, and returns whether the session has ended.
    @discardableResult
    func step() -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return true }
            guard let steps = state.steps else { return false }
            state.steps = steps - 1
            guard steps <= 1 else { return false }
            state.hasEnded = true
            atEnd()
            return true
        }
    }
}
