import Dispatch

/// The one thread at a time on which an app's observers and delegates are called.
///
/// A dispatch queue and no executor of Swift's own: an app's callback may block, and must not hold up anybody else's tasks.
final class CallbackQueue: Sendable {
    private let queue = DispatchQueue(label: "OpenStoreKit.callbacks")

    /// Calls `body` after everything that was submitted before, and returns at once.
    func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// Returns after everything that was submitted before has been called.
    func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }
}
