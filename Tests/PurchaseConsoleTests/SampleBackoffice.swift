import PurchaseModel
import PurchaseProtocol
import Synchronization

/// A backoffice with the rows it is given, which remembers what it was asked.
final class SampleBackoffice: Backoffice {
    let title: String
    private let transactions: [BackofficeTransaction]
    private let notifications: [BackofficeNotification]
    private let asked = Mutex<Set<String>>([])

    init(
        title: String = "Local App Store",
        transactions: [BackofficeTransaction] = [],
        notifications: [BackofficeNotification] = []
    ) {
        self.title = title
        self.transactions = transactions
        self.notifications = notifications
    }

    /// The questions so far, such as `transactions 50`.
    var questions: Set<String> { asked.withLock { $0 } }

    func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        _ = asked.withLock { $0.insert("transactions \(limit)") }
        return transactions
    }

    func notifications(limit: Int) async throws -> [BackofficeNotification] {
        _ = asked.withLock { $0.insert("notifications \(limit)") }
        return notifications
    }
}
