import Dispatch
import Synchronization

/// The serial queue on which an app's observers and delegates are called.
///
/// The queue is a dispatch queue instead of a Swift executor, because a callback of the app may block and must not delay Swift tasks. The
/// number of waiting calls is not limited, because an observer must not miss a change of a transaction.
package final class CallbackQueue: Sendable {
    private struct WeakReference {
        weak var device: Device?
    }

    private let queue = DispatchQueue(label: "OpenStoreKit.callbacks")
    private let reference = Mutex(WeakReference())

    /// Creates a queue that is not yet attached to a device.
    package init() {}

    /// Assigns the queue to a device, which the queue's callbacks see as ``Device/current``.
    func attach(to device: Device) {
        reference.withLock { $0.device = device }
    }

    /// Schedules a closure after all closures submitted earlier, and returns at once.
    package func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            Device.$current.withValue(reference.withLock { $0.device }, operation: body)
        }
    }

    /// Waits until all closures submitted earlier have run.
    package func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
