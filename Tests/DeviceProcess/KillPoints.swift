import Foundation
import OpenStoreKit
import Synchronization

/// Prints each point at which the process can be killed, and kills the process at one of them.
final class KillPoints: Sendable {
    private let cut: String?
    private let counts = Mutex<[String: Int]>([:])

    init(cut: String?) {
        self.cut = cut
    }

    /// Prints the step. At the kill point, kills the process instead, as in a power failure.
    func reach(_ step: DeviceStep) {
        let name = Self.name(step)
        counts.withLock { counts in
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            let killPoint = "\(name) \(count)"
            if killPoint == cut { kill(getpid(), SIGKILL) }
            write("step \(killPoint)\n")
        }
    }

    /// Prints a line.
    func print(_ line: String) { counts.withLock { _ in write(line + "\n") } }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    private static func name(_ step: DeviceStep) -> String {
        switch step {
        case .writing(let name): "writing \(name)"
        case .written(let name): "written \(name)"
        case .sending(let path): "sending \(path)"
        case .answered(let path): "answered \(path)"
        case .replacing(let file): "replacing \(file)"
        case .replaced(let file): "replaced \(file)"
        }
    }
}
