import Foundation
import Synchronization

/// Prints each step at which the process can be killed, and kills the process at one of them.
final class KillPoints: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var total = 0
    }

    private let cut: KitJob.Cut?
    private let state = Mutex(State())

    init(cut: KitJob.Cut?) {
        self.cut = cut
    }

    /// Counts and prints a step; at the kill point, kills the process instead, as in a power failure.
    func reach(_ name: String) {
        if isCut(name) { end() }
    }

    /// Counts and prints a step, and returns whether it is the kill point.
    ///
    /// The caller then leaves half of its work and calls ``end()``.
    func isCut(_ name: String) -> Bool {
        state.withLock { state in
            state.total += 1
            let count = (state.counts[name] ?? 0) + 1
            state.counts[name] = count
            let isCut =
                switch cut {
                case .step(let step): step == "\(name) \(count)"
                case .number(let number): number == state.total
                case nil: false
                }
            if !isCut { write("step \(name) \(count)\n") }
            return isCut
        }
    }

    /// Kills the process.
    func end() {
        kill(getpid(), SIGKILL)
    }

    /// Kills the process after a while, in which work that does not wait for the caller can go on, and does not return.
    func endLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { [self] in end() }
        DispatchSemaphore(value: 0).wait()
    }

    /// Prints a line.
    func print(_ line: String) { state.withLock { _ in write(line + "\n") } }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
