import PurchaseModel

extension ReceiptInfoOrder {
    /// Returns transactions in this order; `rows` must be sorted newest first.
    func sort(_ rows: [TransactionRecord]) -> [TransactionRecord] {
        switch self {
        case .descending: rows
        case .ascending: rows.reversed()
        // Transaction identifiers are sequential, so sorting by the reversed digits results in an order on which no client can rely.
        case .shuffled: rows.sorted { String($0.id.rawValue.reversed()) < String($1.id.rawValue.reversed()) }
        }
    }
}
