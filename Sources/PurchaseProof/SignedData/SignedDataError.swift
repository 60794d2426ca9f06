public import PurchaseModel

/// Why signed data was refused.
///
/// Cases carry places and names, never the data.
public enum SignedDataError: Error, Equatable, Sendable {
    /// Not a compact JWS of the expected kind; `path` says how far it made sense.
    case malformed(path: String)
    /// An algorithm other than ES256, or a header that tries to choose its own key.
    case algorithm(String)
    /// The signer does not lead to a trusted root, or signed something else. Treat as forged.
    case untrusted(reason: String)
    /// Genuine, for another app.
    case foreignBundle(BundleID)
    /// Genuine, from another environment.
    case foreignEnvironment(String)
}
