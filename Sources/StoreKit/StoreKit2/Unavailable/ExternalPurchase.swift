/// Purchases outside the store, after a notice of the system; never possible here.
public enum ExternalPurchase: Sendable {
    /// How the notice ended.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled.
        case cancelled
        /// The user continues; the token is for reporting the sale.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// Whether the notice can be shown: no.
    public static var canPresent: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func presentNoticeSheet() async throws -> NoticeResult { throw StoreKitError.notEntitled }
}
