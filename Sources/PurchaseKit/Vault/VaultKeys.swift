import Crypto
import Foundation
import MessageSignatures
import PurchaseProof

/// The items of the keychain for the vault, and the keys that ``SealedLog`` derives from them.
///
/// Only the secret migrates to another device with a backup, so a keychain that has only the secret belongs to a new device.
enum VaultKeys {
    static let secretName = "vault-secret"
    static let deviceKeyName = "device-key"

    /// Returns the secret of the vault; the first call creates 256 random bits.
    ///
    /// - Parameters:
    ///   - known: The secret that was read from the keychain.
    ///   - keychain: The keychain of the vault.
    ///   - resetting: Whether `known` is written to the keychain again.
    static func secret(after known: Data?, in keychain: any Keychain, resetting: Bool) throws(VaultError) -> Data {
        guard let known else {
            let new = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            return try keychain.add(new, for: secretName, scope: .backup)
        }
        if resetting { try keychain.set(known, for: secretName, scope: .backup) }
        return known
    }

    /// Returns the device's key in PEM and its thumbprint; the first call creates the key.
    ///
    /// - Parameters:
    ///   - keychain: The keychain of the vault.
    ///   - resetting: Whether a key that can't be read is replaced.
    static func deviceKey(in keychain: any Keychain, resetting: Bool) throws(VaultError) -> (pem: Data, KeyThumbprint) {
        let known = try keychain.secret(deviceKeyName)
        if let known {
            if let thumbprint = thumbprint(of: known) { return (known, thumbprint) }
            guard resetting else { throw .tampered }
        }
        guard let key = try? P256SigningKey(newWithID: deviceKeyName) else { throw .storage(reason: "no key can be created") }
        let new = Data(key.pem.utf8)
        if known != nil { try keychain.set(new, for: deviceKeyName, scope: .device) }
        let pem = try keychain.add(new, for: deviceKeyName, scope: .device)
        guard let thumbprint = thumbprint(of: pem) else { throw .tampered }
        return (pem, thumbprint)
    }

    /// Derives a key of the vault's file with HKDF-SHA256 (RFC 5869).
    ///
    /// - Parameters:
    ///   - secret: At least 32 random bytes.
    ///   - purpose: The purpose, for which a separate key is derived.
    ///   - binding: The bytes that distinguish the app and the format of the file.
    static func fileKey(from secret: Data, purpose: String, _ binding: Data) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: Data(purpose.utf8), info: binding, outputByteCount: 32)
    }

    /// Returns the thumbprint of a key in PEM; nil if the key can't be read.
    private static func thumbprint(of pem: Data) -> KeyThumbprint? {
        let key = try? P256SigningKey(pem: String(decoding: pem, as: UTF8.self), id: deviceKeyName)
        return key?.verificationKey.thumbprint
    }
}
