import Dispatch
import Synchronization

/// The serial queue on which an app's observers and delegates are called.
///
/// The queue is a dispatch queue and not a Swift executor, because an app's callback may block, and must not delay other tasks.
package final class CallbackQueue: Sendable {
    private struct Home {
        weak var device: Device?
    }

    private let queue = DispatchQueue(label: "OpenStoreKit.callbacks")
    private let home = Mutex(Home())

    /// Creates a queue that belongs to no device.
    package init() {}

    /// Assigns the queue to a device, which StoreKit's static members use in callbacks, because callbacks carry no task-local device.
    func belong(to device: Device) {
        home.withLock { $0.device = device }
    }

    /// Calls `body` after everything that was submitted before, and returns at once.
    package func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            Device.$current.withValue(home.withLock { $0.device }, operation: body)
        }
    }

    /// Returns after everything that was submitted before has run.
    package func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
