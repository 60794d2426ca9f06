public import Foundation

/// A store for small secrets apart from the app's files, such as the system's keychain.
public protocol Keychain: Sendable {
    /// Returns the secret with a name; nil when there is none.
    func secret(_ name: String) throws(VaultError) -> Data?

    /// Stores a secret under a name; the secret is durable when the call returns.
    func set(_ secret: Data, for name: String) throws(VaultError)
}
