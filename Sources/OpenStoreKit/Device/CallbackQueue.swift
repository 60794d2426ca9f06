import Dispatch
import Synchronization

/// The one thread at a time on which an app's observers and delegates are called.
///
/// A dispatch queue and no executor of Swift's own: an app's callback may block, and must not hold up anybody else's tasks.
package final class CallbackQueue: Sendable {
    private struct Home {
        weak var device: Device?
    }

    private let queue = DispatchQueue(label: "OpenStoreKit.callbacks")
    private let home = Mutex(Home())

    /// A queue on which nobody's device is meant.
    package init() {}

    /// From now on StoreKit's static members mean this device in what is called here: no task brings its own along.
    func belong(to device: Device) {
        home.withLock { $0.device = device }
    }

    /// Calls `body` after everything that was submitted before, and returns at once.
    package func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            Device.$current.withValue(home.withLock { $0.device }, operation: body)
        }
    }

    /// Returns after everything that was submitted before has been called.
    package func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
