/// In which order `latest_receipt_info` comes: real servers have used several, and promise none.
public enum ReceiptInfoOrder: String, Codable, Hashable, Sendable, CaseIterable {
    /// Newest first.
    case descending
    /// Oldest first.
    case ascending
    /// In no order, and the same for the same content.
    case shuffled
}
