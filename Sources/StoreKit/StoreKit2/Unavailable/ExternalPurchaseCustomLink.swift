/// A custom link to external purchases; not available on Linux.
public enum ExternalPurchaseCustomLink: Sendable {
    /// The user's response to the notice sheet.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled the external purchase.
        case cancelled
        /// The user continues with the external purchase.
        case continued
    }

    /// The place to which a custom link leads.
    public enum NoticeType: Int, Hashable, Sendable {
        /// The link opens a page in the app.
        case withinApp
        /// The link opens a page in a browser.
        case browser
    }

    /// A token with which the developer reports external purchases to Apple.
    public struct Token: Hashable, Sendable {
        /// The text of the token.
        public let value: String
    }

    /// Whether the app is eligible for custom links; always false on Linux.
    public static var isEligible: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``, because custom links are not available on Linux.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``, because custom links are not available on Linux.
    public static func token(for tokenType: String) async throws -> Token? { throw StoreKitError.notEntitled }
}
