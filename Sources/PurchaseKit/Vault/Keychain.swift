public import Foundation

/// A place for small secrets that outlive the app's files: the system's keychain, or what stands for it.
public protocol Keychain: Sendable {
    /// The secret under a name; nil when there is none.
    func secret(_ name: String) throws(VaultError) -> Data?

    /// Keeps a secret under a name; it is durable when the call returns.
    func set(_ secret: Data, for name: String) throws(VaultError)
}
