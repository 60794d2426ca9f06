public import Foundation

/// Stores small secrets separately from the app's files, as a system's keychain does.
public protocol Keychain: Sendable {
    /// Returns the secret with a name; nil if there is none.
    func secret(_ name: String) throws(VaultError) -> Data?

    /// Stores a secret under a name; the secret is durable when the call returns.
    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError)

    /// Stores a secret under a name that has none; the stored secret is durable when the call returns.
    ///
    /// The default implementation reads and then stores the secret, in two steps. A keychain that several processes use, such as an app and
    /// its extension, implements the method in one step: two processes that open a new vault at the same time must obtain the same secret.
    ///
    /// - Parameters:
    ///   - secret: The secret to store.
    ///   - name: The name of the secret.
    ///   - scope: The devices on which the secret is available.
    /// - Returns: The stored secret: `secret`, or the secret that was stored under the name before.
    func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data
}

extension Keychain {
    /// Reads the secret with a name, and stores the given secret if there is none, in two steps.
    ///
    /// - Parameters:
    ///   - secret: The secret to store.
    ///   - name: The name of the secret.
    ///   - scope: The devices on which the secret is available.
    /// - Returns: The stored secret.
    public func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data {
        if let stored = try self.secret(name) { return stored }
        try set(secret, for: name, scope: scope)
        return secret
    }
}

/// The devices on which an item of a keychain is available.
public enum KeychainScope: Hashable, Sendable {
    /// Only the device that stored the item, even if a backup of that device is restored to another device.
    case device
    /// The device that stored the item, and each device to which an encrypted backup of that device is restored.
    case backup
}
