public import Foundation

/// A link to purchases outside the store; not available on this platform.
public enum ExternalPurchaseLink: Sendable {
    /// Whether a link can be opened: always false.
    public static var canOpen: Bool {
        get async { false }
    }

    /// The links that the app may open: always nil.
    public static var eligibleURLs: [URL]? {
        get async { nil }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open() async throws { throw StoreKitError.notEntitled }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open(url: URL) async throws { throw StoreKitError.notEntitled }
}
