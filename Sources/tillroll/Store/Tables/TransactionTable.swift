import PurchaseModel
import PurchaseProtocol

/// A table of transactions.
struct TransactionTable {
    private var table = TextTable(["date", "transaction", "product", "kind", "price", "until", "state"])

    init(_ summaries: [TransactionSummary]) {
        for summary in summaries {
            let payload = summary.payload
            let price = payload.price.map { Money(milliunits: $0, currency: payload.currency ?? "") }
            table.add([
                "\(payload.purchaseDate)", payload.transactionId.rawValue, payload.productId.rawValue, summary.kind,
                price.map { "\($0.decimal) \($0.currency)" } ?? "", payload.expiresDate.map { "\($0)" } ?? "", Self.state(summary),
            ])
        }
    }

    /// The lines of the table, or a message if it is empty.
    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no transactions")] : table.lines(style, indent: "")
    }

    private static func state(_ summary: TransactionSummary) -> String {
        if let date = summary.payload.revocationDate { return "taken back \(date)" }
        if summary.payload.isUpgraded == true { return "upgraded" }
        return summary.finished == nil ? "unfinished" : "finished"
    }
}
