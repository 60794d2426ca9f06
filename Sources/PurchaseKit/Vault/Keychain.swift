public import Foundation

/// Stores small secrets separately from the app's files, as a system's keychain does.
public protocol Keychain: Sendable {
    /// Returns the secret with a name; nil if there is none.
    func secret(_ name: String) throws(VaultError) -> Data?

    /// Stores a secret under a name; the secret is durable when the call returns.
    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError)
}

/// The devices on which an item of a keychain is available.
public enum KeychainScope: Hashable, Sendable {
    /// The device that stored the item, also after the restore of a backup.
    case device
    /// That device, and each one to which an encrypted backup of it is restored.
    case backup
}
