import Synchronization

/// The acknowledgment of the element that the app is handling; the end of the iteration acknowledges the element, too.
final class DeliveryAcknowledgment: Sendable {
    private let pending = Mutex<(@Sendable () -> Void)?>(nil)

    deinit {
        acknowledge()
    }

    /// Sets the acknowledgment of the element that the app receives now.
    func prepare(_ body: @escaping @Sendable () -> Void) {
        pending.withLock { $0 = body }
    }

    /// Acknowledges the element that the app has handled, once.
    func acknowledge() {
        let body = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        body?()
    }
}
