import PurchaseModel
import ServerProtocol

/// A backoffice that cannot read transactions, or only notifications.
struct FailingBackoffice: Backoffice {
    struct Failure: Error, CustomStringConvertible {
        let description = "disk I/O error at /var/lib/tillroll, password=hunter2"
    }

    let title = "Local App Store"
    var failsAtTransactions = true

    func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        if failsAtTransactions { throw Failure() }
        return []
    }

    func notifications(limit: Int) async throws -> [BackofficeNotification] {
        throw Failure()
    }
}
