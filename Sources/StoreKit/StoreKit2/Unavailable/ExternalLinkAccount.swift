/// A link to an account on the developer's website; not available on this platform.
public enum ExternalLinkAccount: Sendable {
    /// Whether the link can be opened: always false.
    public static var canOpen: Bool {
        get async { false }
    }

    /// Throws ``StoreKitError/notEntitled``.
    public static func open() async throws { throw StoreKitError.notEntitled }
}
