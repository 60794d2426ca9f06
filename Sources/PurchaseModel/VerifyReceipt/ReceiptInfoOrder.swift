/// The order of `latest_receipt_info`; the App Store has used several orders, and guarantees none.
///
/// The raw values are sent in the control API, and stored.
public enum ReceiptInfoOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// Newest first.
    case descending = "descending"
    /// Oldest first.
    case ascending = "ascending"
    /// Shuffled; the same content always has the same order.
    case shuffled = "shuffled"
}
