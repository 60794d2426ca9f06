public import PurchaseModel

/// Why a receipt was refused.
///
/// Cases carry places and names, never receipt bytes.
public enum ReceiptError: Error, Equatable, Sendable {
    /// The bytes are not a receipt; `path` says how far they made sense. Asking again will not help.
    case malformed(path: String)
    /// The signer does not lead to a trusted root, or signed something else. Treat as forged.
    case untrusted(reason: String)
    /// A genuine receipt for another app.
    case foreignBundle(BundleID)
    /// A genuine receipt from another environment; ask the server of that environment.
    case foreignEnvironment(AppEnvironment)
    /// A genuine receipt for another device; refresh it.
    case foreignDevice
    /// A genuine receipt whose validity has ended.
    case expired(Timestamp)
}
