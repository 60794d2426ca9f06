public import Foundation

/// A link to purchases outside the store; never possible here.
public enum ExternalPurchaseLink: Sendable {
    /// Whether a link can be opened: no.
    public static var canOpen: Bool {
        get async { false }
    }

    /// The links that may be opened: none.
    public static var eligibleURLs: [URL]? {
        get async { nil }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open() async throws { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open(url: URL) async throws { throw StoreKitError.notEntitled }
}
