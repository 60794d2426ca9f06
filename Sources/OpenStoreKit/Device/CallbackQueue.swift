import Dispatch
import Synchronization

/// The serial queue on which an app's observers and delegates are called.
///
/// The queue is a dispatch queue and not a Swift executor, because an app's callback may block, and must not delay other tasks.
package final class CallbackQueue: Sendable {
    private struct WeakReference {
        weak var device: Device?
    }

    private let queue = DispatchQueue(label: "OpenStoreKit.callbacks")
    private let reference = Mutex(WeakReference())

    /// Creates a queue that belongs to no device.
    package init() {}

    /// Assigns the queue to a device, which becomes the current device in callbacks.
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
