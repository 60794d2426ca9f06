/// Purchases outside the store, after a system notice; not available on this platform.
public enum ExternalPurchase: Sendable {
    /// The result of the notice.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled.
        case cancelled
        /// The user continues; the developer reports the sale with the token.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// Whether the notice can be shown: always false.
    public static var canPresent: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func presentNoticeSheet() async throws -> NoticeResult { throw StoreKitError.notEntitled }
}
