import Foundation
import Synchronization

/// Blocks a thread until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let reached = Mutex(false)

    var isReached: Bool { reached.withLock { $0 } }

    func wait() {
        reached.withLock { $0 = true }
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
