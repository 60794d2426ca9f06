import PurchaseModel
import ServerProtocol
import Synchronization

/// A backoffice with the given rows that records its requests.
final class SampleBackoffice: Backoffice {
    let title: String
    private let transactions: [BackofficeTransaction]
    private let notifications: [BackofficeNotification]
    private let requested = Mutex<Set<String>>([])

    init(
        title: String = "Local App Store",
        transactions: [BackofficeTransaction] = [],
        notifications: [BackofficeNotification] = []
    ) {
        self.title = title
        self.transactions = transactions
        self.notifications = notifications
    }

    /// The recorded requests, such as `transactions 50`.
    var requests: Set<String> { requested.withLock { $0 } }

    func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        _ = requested.withLock { $0.insert("transactions \(limit)") }
        return transactions
    }

    func notifications(limit: Int) async throws -> [BackofficeNotification] {
        _ = requested.withLock { $0.insert("notifications \(limit)") }
        return notifications
    }
}
