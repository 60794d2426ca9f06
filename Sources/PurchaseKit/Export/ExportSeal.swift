import Crypto
import CryptoExtras
public import Foundation
import FoundationExtras

/// The secret that seals and opens an export of purchases.
public enum ExportSeal: Sendable {
    /// A passphrase that the person chooses and enters on the other device, with at least ``minimumPassphraseLength`` characters.
    ///
    /// The key is derived with scrypt (RFC 7914), whose use of 32 MiB of memory prevents fast guessing of passphrases.
    case passphrase(String)
    /// A secret in a keychain that the person's devices share, such as iCloud Keychain; each export has a separate secret.
    case account(any Keychain)

    /// The minimum number of characters of a passphrase.
    public static let minimumPassphraseLength = 8

    /// The prefix of the names of the secrets in the keychain that the person's devices share.
    private static let secretName = "purchase-export-"

    /// The byte that states the kind of seal in a file.
    var kind: UInt8 {
        switch self {
        case .passphrase: UInt8(ascii: "p")
        case .account: UInt8(ascii: "a")
        }
    }

    /// Derives the key of a file from the file's salt.
    ///
    /// - Parameter isNew: Whether the key is for a new file, for which ``account(_:)`` creates a secret.
    @concurrent
    func key(salt: Data, isNew: Bool) async throws(ExportError) -> SymmetricKey {
        switch self {
        case .passphrase(let passphrase):
            guard passphrase.count >= Self.minimumPassphraseLength else { throw .passphraseTooShort }
            // Normalize the passphrase, because keyboards can encode the same passphrase differently.
            let text = Data(passphrase.precomposedStringWithCompatibilityMapping.utf8)
            do {
                // The version of the format determines the parameters, so that a file can't demand more memory or time.
                return try KDF.Scrypt.deriveKey(
                    from: text, salt: salt, outputByteCount: 32, rounds: 1 << 15, blockSize: 8, parallelism: 3)
            } catch {
                throw .cannotDeriveKey
            }
        case .account(let keychain):
            // Use a separate secret for each export, because devices with unsynchronized keychains could replace each other's secret.
            let name = Self.secretName + Hexadecimal.encode(salt.prefix(8))
            let secret = isNew ? try Self.newSecret(name, in: keychain) : try Self.secret(name, in: keychain)
            return HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: Data("Tillroll export".utf8), outputByteCount: 32)
        }
    }

    private static func newSecret(_ name: String, in keychain: any Keychain) throws(ExportError) -> Data {
        let secret = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        do { try keychain.set(secret, for: name, scope: .backup) } catch { throw .vault(error) }
        return secret
    }

    private static func secret(_ name: String, in keychain: any Keychain) throws(ExportError) -> Data {
        let secret: Data?
        do { secret = try keychain.secret(name) } catch { throw .vault(error) }
        guard let secret else { throw .missingAccountKey }
        return secret
    }
}

/// The reason why purchases can't be exported or imported.
public enum ExportError: Error, Equatable, Sendable {
    /// The passphrase has fewer characters than ``ExportSeal/minimumPassphraseLength``.
    case passphraseTooShort
    /// The file is not an export of purchases.
    case notAnExport
    /// The file was written by a newer version of the app.
    case unsupportedVersion
    /// The file is sealed with a passphrase, and not to the account.
    case needsPassphrase
    /// The file is sealed to the account, and not with a passphrase.
    case needsAccount
    /// The account's keychain on this device has no key for exports yet.
    case missingAccountKey
    /// The passphrase is wrong, or the file was changed or is from another app or account.
    case cannotBeOpened
    /// The file is larger than this number of bytes.
    case tooLarge(limit: Int)
    /// There is not enough memory to derive the key.
    case cannotDeriveKey
    /// The vault can't be read or written.
    case vault(VaultError)
}

extension ExportError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension ExportError: CustomStringConvertible {
    /// A sentence that describes the error, with a remedy.
    public var description: String {
        switch self {
        case .passphraseTooShort: "Choose a passphrase of at least \(ExportSeal.minimumPassphraseLength) characters."
        case .notAnExport: "The file is not an export of purchases. Choose another file."
        case .unsupportedVersion: "The file was written by a newer version of the app. Update the app."
        case .needsPassphrase: "The file is sealed with a passphrase. Enter the passphrase."
        case .needsAccount: "The file is sealed to the account. Open the file on a device with the same account."
        case .missingAccountKey: "The account's keychain has no key for exports on this device yet. Try again later, or use a passphrase."
        case .cannotBeOpened: "The passphrase is wrong, or the file is damaged or from another app. Enter the passphrase again."
        case .tooLarge(let limit): "The export is larger than \(limit >> 20) MB."
        case .cannotDeriveKey: "There is not enough memory. Close other apps, and try again."
        case .vault(let error): error.description
        }
    }
}
