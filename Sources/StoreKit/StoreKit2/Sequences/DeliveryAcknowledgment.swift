import Synchronization

/// Acknowledges the sequence element that the app is handling, at the latest when the iteration ends.
final class DeliveryAcknowledgment: Sendable {
    private let pending = Mutex<(@Sendable () -> Void)?>(nil)

    deinit {
        acknowledge()
    }

    /// Stores the closure that acknowledges the element that the app receives now.
    func prepare(_ body: @escaping @Sendable () -> Void) {
        pending.withLock { $0 = body }
    }

    /// Acknowledges the element that the app has handled; further calls have no effect until the next element.
    func acknowledge() {
        let body = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        body?()
    }
}
