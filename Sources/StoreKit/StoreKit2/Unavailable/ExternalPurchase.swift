/// External purchases, which begin with a notice sheet of the system; not available on Linux.
public enum ExternalPurchase: Sendable {
    /// The user's response to the notice sheet.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled the external purchase.
        case cancelled
        /// The user continues with the external purchase, which the developer reports to Apple with the token.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// Whether the app can show the notice sheet; always false on Linux.
    public static var canPresent: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``, because external purchases are not available on Linux.
    public static func presentNoticeSheet() async throws -> NoticeResult { throw StoreKitError.notEntitled }
}
