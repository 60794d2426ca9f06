public import Foundation

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

/// A link to external purchases on a website of the developer; not available on Linux.
public enum ExternalPurchaseLink: Sendable {
    /// Whether the app can open links to external purchases; always false on Linux.
    public static var canOpen: Bool {
        get async { false }
    }

    /// The links to external purchases that the app may open; always nil on Linux.
    public static var eligibleURLs: [URL]? {
        get async { nil }
    }

    /// Throws ``StoreKitError/notEntitled``, because links to external purchases are not available on Linux.
    public static func open() async throws { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``, because links to external purchases are not available on Linux.
    public static func open(url: URL) async throws { throw StoreKitError.notEntitled }
}

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

/// A link to the website on which the user manages an account with the developer; not available on Linux.
public enum ExternalLinkAccount: Sendable {
    /// Whether the app can open the link; always false on Linux.
    public static var canOpen: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``, because external account links are not available on Linux.
    public static func open() async throws { throw StoreKitError.notEntitled }
}
