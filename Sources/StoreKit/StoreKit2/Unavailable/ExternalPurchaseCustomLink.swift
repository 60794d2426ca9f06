/// A custom link to purchases outside the store; not available on this platform.
public enum ExternalPurchaseCustomLink: Sendable {
    /// The result of the notice.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled.
        case cancelled
        /// The user continues.
        case continued
    }

    /// The destination of a link.
    public enum NoticeType: Int, Hashable, Sendable {
        /// A page in the app.
        case withinApp
        /// A page in a browser.
        case browser
    }

    /// A token with which the developer reports sales.
    public struct Token: Hashable, Sendable {
        /// The token's text.
        public let value: String
    }

    /// Whether the app is eligible for custom links: always false.
    public static var isEligible: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``.
    public static func token(for tokenType: String) async throws -> Token? { throw StoreKitError.notEntitled }
}
