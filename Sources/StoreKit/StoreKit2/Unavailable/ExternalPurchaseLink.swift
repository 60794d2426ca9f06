public import Foundation

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
