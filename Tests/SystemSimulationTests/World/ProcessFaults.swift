import Synchronization

/// Decides which durable write ends a process, and which one finds a full disk.
///
/// A process that has ended writes and answers nothing, until ``restart()`` stands for the next process.
final class ProcessFaults: Sendable {
    /// What happens to a write.
    enum Decision {
        case succeeds
        /// The process ends; `isKept` states whether the write is on the disk.
        case ends(isKept: Bool)
        case findsFullDisk
        /// The process has ended before.
        case hasEnded
    }

    private struct State {
        var hasEnded = false
        var ending: (writes: Int, isKept: Bool)?
        var fullWrites = 0
        /// Whether the process ends when its current work is done.
        var endsAfterReply = false
    }

    private let state = Mutex(State())

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends the process at a further write.
    ///
    /// - Parameters:
    ///   - writes: The number of writes before it.
    ///   - isKept: Whether the write is on the disk when the process ends.
    func end(after writes: Int, isKept: Bool) {
        state.withLock { $0.ending = (writes, isKept) }
    }

    /// Ends the process now.
    func end() {
        state.withLock { $0.hasEnded = true }
    }

    /// Ends the process if it was to end when its work is done.
    func endAfterReply() {
        state.withLock { state in
            if state.endsAfterReply { state.hasEnded = true }
            state.endsAfterReply = false
        }
    }

    /// Lets a number of writes find a full disk.
    func fillDisk(for writes: Int) {
        state.withLock { $0.fullWrites = writes }
    }

    /// Begins the next process; the disk stays full.
    func restart() {
        state.withLock { state in
            state.hasEnded = false
            state.ending = nil
        }
    }

    /// Removes all faults.
    func heal() {
        state.withLock { state in
            state.ending = nil
            state.fullWrites = 0
        }
    }

    /// Whether the process ends at the next write, which its disk does not keep; the process then ends at the write after it.
    var willLoseNextWrite: Bool {
        state.withLock { state in
            guard !state.hasEnded, let ending = state.ending, ending.writes == 0, !ending.isKept else { return false }
            state.ending = nil
            state.endsAfterReply = true
            return true
        }
    }

    /// Decides about the next write.
    func decide() -> Decision {
        state.withLock { state in
            if state.hasEnded { return .hasEnded }
            if let ending = state.ending {
                guard ending.writes == 0 else {
                    state.ending?.writes -= 1
                    return full(&state)
                }
                state.hasEnded = true
                return .ends(isKept: ending.isKept)
            }
            return full(&state)
        }
    }

    private func full(_ state: inout State) -> Decision {
        guard state.fullWrites > 0 else { return .succeeds }
        state.fullWrites -= 1
        return .findsFullDisk
    }
}
