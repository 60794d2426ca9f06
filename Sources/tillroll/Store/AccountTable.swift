import PurchaseModel
import StoreProtocol

struct AccountTable {
    private var table: TextTable

    init(_ accounts: [AccountDescription]) {
        let hasActivity = accounts.contains { $0.activity != nil }
        let activity = hasActivity ? ["subscriptions", "total", "last activity"] : []
        table = TextTable(["account"] + activity + ["environment", "storefront", "family", "remarks"])
        for account in accounts {
            let remarks = [
                account.askToBuyEnabled ? "Ask to Buy" : nil, account.hasValidPaymentMethod ? nil : "payment method declines",
                account.interruptedPurchasesEnabled ? "interrupted purchases" : nil,
                account.family != nil && !account.sharesPurchases ? "no Family Sharing" : nil,
            ]
            let settings = [
                account.environment.rawValue, account.storefront ?? "", account.family ?? "",
                remarks.compactMap { $0 }.joined(separator: ", "),
            ]
            table.add([account.account.rawValue] + (hasActivity ? Self.cells(account.activity) : []) + settings)
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no accounts")] : table.lines(style, indent: "")
    }

    private static func cells(_ activity: AccountActivity?) -> [String] {
        [
            activity?.subscriptions.map { description(of: $0) }.joined(separator: "; ") ?? "",
            activity?.spending.map { "\($0.decimal) \($0.currency)" }.joined(separator: ", ") ?? "",
            activity?.lastActivityDate.map { "\($0)" } ?? "",
        ]
    }

    private static func description(of subscription: AccountSubscription) -> String {
        let state =
            switch subscription.status {
            case .active: "active, \(subscription.willAutoRenew ? "renews" : "expires") \(subscription.expiresDate)"
            case .gracePeriod: "grace period\(subscription.nextRenewalDate.map { " until \($0)" } ?? "")"
            case .billingRetry: "billing retry\(subscription.nextRenewalDate.map { " until \($0)" } ?? "")"
            case .expired: "expired \(subscription.expiresDate)"
            case .revoked: "revoked"
            }
        let name = subscription.title.flatMap { $0.isEmpty ? nil : $0 } ?? subscription.productID.rawValue
        return "\(name): \(state)\(subscription.isShared ? ", Family Sharing" : "")"
    }
}
