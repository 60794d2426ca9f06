import PurchaseModel
import PurchaseProtocol

/// A table of subscriptions.
struct SubscriptionTable {
    private var table = TextTable(["subscription", "product", "state", "renews", "next"])

    init(_ subscriptions: SubscriptionDescription...) {
        self.init(subscriptions)
    }

    init(_ subscriptions: [SubscriptionDescription]) {
        for subscription in subscriptions {
            let info = subscription.renewalInfo
            table.add([
                info.originalTransactionId.rawValue, info.productId?.rawValue ?? "", Self.state(subscription),
                info.autoRenewStatus == 1 ? "yes" : "no", subscription.nextDue.map { "\($0)" } ?? "",
            ])
        }
    }

    /// The lines of the table, or a message if it is empty.
    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no subscriptions")] : table.lines(style, indent: "")
    }

    private static func state(_ subscription: SubscriptionDescription) -> String {
        let state =
            switch SubscriptionStatus(rawValue: subscription.status) {
            case .active: "active"
            case .expired: "expired"
            case .billingRetry: "billing retry"
            case .gracePeriod: "grace period"
            case .revoked: "revoked"
            case nil: "\(subscription.status)"
            }
        return subscription.isShared ? "\(state), shared" : state
    }
}
