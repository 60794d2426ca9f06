/// A link of the app's own to purchases outside the store; never possible here.
public enum ExternalPurchaseCustomLink: Sendable {
    /// How the notice ended.
    public enum NoticeResult: Hashable, Sendable {
        /// The user canceled.
        case cancelled
        /// The user continues.
        case continued
    }

    /// Where a link leads.
    public enum NoticeType: Int, Hashable, Sendable {
        /// To a page in the app.
        case withinApp
        /// To a browser.
        case browser
    }

    /// What sales are reported with.
    public struct Token: Hashable, Sendable {
        /// The token's text.
        public let value: String
    }

    /// Whether the app may have such links: no.
    public static var isEligible: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``.
    public static func token(for tokenType: String) async throws -> Token? { throw StoreKitError.notEntitled }
}
