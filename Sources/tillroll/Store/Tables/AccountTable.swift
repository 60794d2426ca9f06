import PurchaseModel
import PurchaseProtocol

/// A table of accounts.
struct AccountTable {
    private var table = TextTable(["account", "environment", "storefront", "family", "remarks"])

    init(_ accounts: [AccountDescription]) {
        for account in accounts {
            let remarks = [
                account.asksToBuy ? "asks to buy" : nil, account.cardWorks ? nil : "card fails",
                account.interruptsPurchases ? "purchases are interrupted" : nil,
                account.family != nil && !account.sharesPurchases ? "shares nothing" : nil,
            ]
            table.add([
                account.account.rawValue, account.environment.rawValue, account.storefront ?? "", account.family ?? "",
                remarks.compactMap { $0 }.joined(separator: ", "),
            ])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no accounts")] : table.lines(style, indent: "")
    }
}
