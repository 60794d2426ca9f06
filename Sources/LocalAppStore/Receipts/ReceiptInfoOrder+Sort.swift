import PurchaseModel

extension ReceiptInfoOrder {
    /// Sorts transactions into this order; the input is sorted newest first.
    func sort(_ rows: [TransactionRecord]) -> [TransactionRecord] {
        switch self {
        case .descending: rows
        case .ascending: rows.reversed()
        // Identifiers are sequential, so sorting by the reversed digits gives an order without a usable pattern.
        case .shuffled: rows.sorted { String($0.id.rawValue.reversed()) < String($1.id.rawValue.reversed()) }
        }
    }
}
