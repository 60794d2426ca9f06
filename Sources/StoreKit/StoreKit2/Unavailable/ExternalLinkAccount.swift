/// A link to an account on the developer's website; never possible here.
public enum ExternalLinkAccount: Sendable {
    /// Whether the link can be opened: no.
    public static var canOpen: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open() async throws { throw StoreKitError.notEntitled }
}
