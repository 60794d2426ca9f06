import Crypto
import Foundation
import PurchaseModel
package import PurchaseStorage

/// Reads, creates and replaces the secrets of one app.
struct SecretService: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let cipher: SecretCipher

    /// Returns a secret; the first call among all servers with the same database creates the secret.
    func secret(_ name: String, orNew create: @Sendable () -> Data) async throws -> Data {
        do {
            if let secret = try await secret(name) { return secret }
        } catch SecretError.unknownKey {
            // Read the secret again below, because a rotation may have removed the key after the read. The write transaction excludes
            // rotations.
        }
        let candidate = create()
        return try await storage.writeSecrets { [cipher, app] secrets in
            let records = secrets.secrets(of: app)
            if let sealed = try records.secret(name) { return try cipher.open(sealed, named: name, of: app) }
            try records.put(try cipher.seal(candidate, named: name, of: app), named: name)
            return candidate
        }
    }

    /// Returns a secret; nil for a missing secret.
    func secret(_ name: String) async throws -> Data? {
        try await storage.read(app) { [cipher, app] records in
            try records.secret(name).map { try cipher.open($0, named: name, of: app) }
        }
    }

    /// Replaces a secret with the result of `change`, which receives nil for a missing secret.
    func replace(_ name: String, with change: @escaping @Sendable (Data?) throws -> Data) async throws {
        try await storage.writeSecrets { [cipher, app] secrets in
            let records = secrets.secrets(of: app)
            let secret = try records.secret(name).map { try cipher.open($0, named: name, of: app) }
            try records.put(try cipher.seal(change(secret), named: name, of: app), named: name)
        }
    }

    /// Removes a secret.
    func remove(_ name: String) async throws {
        try await storage.writeSecrets { [app] in try $0.secrets(of: app).removeSecret(name) }
    }
}

/// The result of ``PurchaseServer/rotateSecretKey(removingEarlierKeys:)``.
public struct SecretRotation: Hashable, Sendable {
    /// The number of secrets that were encrypted with the new key.
    public let encryptedSecrets: Int
    /// The number of earlier keys that remain in the key file for the secrets of earlier backups.
    public let earlierKeys: Int
}

extension SecretCipher {
    private struct Secret {
        let app: BundleID
        let name: String
        let value: Data
    }

    /// Encrypts the secrets of all apps with a new key; returns the number of secrets.
    package func encryptAgain(in storage: any PurchaseStorage) async throws -> Int {
        let key = SymmetricKey(size: .bits256)
        return try await storage.writeSecrets { secrets in
            let all = try secrets.apps().flatMap { app in
                let records = secrets.secrets(of: app)
                return try records.secretNames().compactMap { name in
                    try records.secret(name).map { Secret(app: app, name: name, value: try self.open($0, named: name, of: app)) }
                }
            }
            // Write the key to the disk after the decryption of all secrets, and before the encryption of the first secret.
            try self.add(key)
            for secret in all {
                try secrets.secrets(of: secret.app).put(
                    try self.seal(secret.value, named: secret.name, of: secret.app), named: secret.name)
            }
            return all.count
        }
    }

    /// Removes the keys that no secret of the database needs; returns the number of earlier keys that remain.
    package func removeEarlierKeys(in storage: any PurchaseStorage) async throws -> Int {
        try await storage.writeSecrets { secrets in
            let sealed = try secrets.apps().flatMap { app in
                let records = secrets.secrets(of: app)
                return try records.secretNames().compactMap { try records.secret($0) }
            }
            return try self.removeKeys(except: sealed)
        }
    }
}
