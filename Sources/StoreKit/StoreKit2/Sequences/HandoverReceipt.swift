import Synchronization

/// What is to be done when the app has dealt with the element that it was handed; the end of the iteration says so, too.
final class HandoverReceipt: Sendable {
    private let due = Mutex<(@Sendable () -> Void)?>(nil)

    deinit {
        sign()
    }

    /// Has something done when the app has dealt with the element that it gets now.
    func expect(_ body: @escaping @Sendable () -> Void) {
        due.withLock { $0 = body }
    }

    /// The app has dealt with what it was handed.
    func sign() {
        let body = due.withLock { due in
            defer { due = nil }
            return due
        }
        body?()
    }
}
