import Foundation
import OpenStoreKit
import Synchronization

/// Prints every moment at which the power could go, and takes it away at one of them.
final class Moments: Sendable {
    private let cut: String?
    private let counts = Mutex<[String: Int]>([:])

    init(cut: String?) {
        self.cut = cut
    }

    /// Goes by; at the moment of the cut the process ends as if the power had gone.
    func pass(_ step: DeviceStep) {
        let name = Self.name(step)
        counts.withLock { counts in
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            let moment = "\(name) \(count)"
            if moment == cut { kill(getpid(), SIGKILL) }
            write("step \(moment)\n")
        }
    }

    /// Says a line.
    func print(_ line: String) { counts.withLock { _ in write(line + "\n") } }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    private static func name(_ step: DeviceStep) -> String {
        switch step {
        case .writing(let what): "writing \(what)"
        case .written(let what): "written \(what)"
        case .sending(let path): "sending \(path)"
        case .answered(let path): "answered \(path)"
        case .replacing(let file): "replacing \(file)"
        case .replaced(let file): "replaced \(file)"
        }
    }
}
