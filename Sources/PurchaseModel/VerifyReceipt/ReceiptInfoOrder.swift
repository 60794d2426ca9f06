/// The order of the transactions in `latest_receipt_info`; the App Store has used several orders, and guarantees none.
///
/// The control API and the store's database contain the raw values.
public enum ReceiptInfoOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// The newest transaction comes first.
    case descending = "descending"
    /// The oldest transaction comes first.
    case ascending = "ascending"
    /// The order is shuffled; the same transactions always have the same order.
    case shuffled = "shuffled"
}
