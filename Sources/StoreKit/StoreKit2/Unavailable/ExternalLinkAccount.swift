/// A link to the website on which the user manages an account with the developer; not available on Linux.
public enum ExternalLinkAccount: Sendable {
    /// Whether the app can open the link; always false on Linux.
    public static var canOpen: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``, because external account links are not available on Linux.
    public static func open() async throws { throw StoreKitError.notEntitled }
}
