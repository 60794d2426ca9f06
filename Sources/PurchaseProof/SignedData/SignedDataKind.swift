/// What a signed payload is about.
public enum SignedDataKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A transaction.
    case transaction
    /// What the store intends with a subscription.
    case renewalInfo = "renewal_info"
    /// How the customer came by the app.
    case appTransaction = "app_transaction"
    /// A server notification.
    case notification
    /// A request for an answer at once.
    case realtimeRequest = "realtime_request"
    /// Something else that says when and where it was signed.
    case other

    /// The kind that has members of these names; nil when none does.
    ///
    /// Signed data does not name its kind. A payload that has the members of several is the first of them, in the order below,
    /// and is read by that kind's rules.
    init?(members: Set<String>) {
        if members.contains("notificationType") {
            self = .notification
        } else if members.contains("receiptType") {
            self = .appTransaction
        } else if members.contains("transactionId") {
            self = .transaction
        } else if members.contains("userLocale") {
            self = .realtimeRequest
        } else if members.contains("originalTransactionId") {
            self = .renewalInfo
        } else if members.isSuperset(of: ["signedDate", "environment"]) {
            self = .other
        } else {
            return nil
        }
    }
}
