import PurchaseModel

extension ReceiptInfoOrder {
    /// Puts transactions, which come newest first, into this order.
    func sort(_ rows: [TransactionRecord]) -> [TransactionRecord] {
        switch self {
        case .descending: rows
        case .ascending: rows.reversed()
        // Ids count up, so their last digits first are an order that nobody can use.
        case .shuffled: rows.sorted { String($0.id.rawValue.reversed()) < String($1.id.rawValue.reversed()) }
        }
    }
}
