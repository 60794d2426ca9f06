package import Crypto
package import Foundation
import PrivateFiles
package import PurchaseModel
import Synchronization

/// Encrypts the server's secrets in the database with AES-GCM, under a key outside of the database.
///
/// A stored secret consists of the version 1, the identifier of the key (8 bytes), and the nonce, the ciphertext and the tag of
/// AES-256-GCM. The authenticated data contains the app and the name of the secret, so one secret can't replace another secret.
package final class SecretCipher: Sendable {
    private static let version: UInt8 = 1
    private static let idLength = 8
    /// The maximum number of keys in the key file.
    private static let limit = 1_000

    /// The path of the key file; nil for a key in memory, as for a database in memory.
    private let path: String?
    private let keys: Mutex<[SymmetricKey]>

    /// Opens the key file, which contains one key of 32 bytes in base64 per line, the current key first.
    ///
    /// The earlier keys decrypt the secrets of earlier backups.
    ///
    /// - Parameter path: The path of the key file, which the method creates if missing; nil for a key in memory.
    /// - Throws: ``ConfigurationError/secretKeyFile(path:)`` if the file can't be read or created, or has an invalid format.
    package init(path: String?) throws(ConfigurationError) {
        self.path = path
        guard let path else {
            keys = Mutex([SymmetricKey(size: .bits256)])
            return
        }
        // If another process creates the file at the same time, use the other process's file.
        do {
            if !FileManager.default.fileExists(atPath: path) {
                _ = try DurableFile.create(path, with: Self.text([SymmetricKey(size: .bits256)]))
            }
        } catch { throw .secretKeyFile(path: path) }
        keys = Mutex(try Self.read(path))
    }

    /// Encrypts a secret with the current key of the key file.
    ///
    /// The caller must hold the lock of the secrets, because a rotation could otherwise remove the key before the secret is stored.
    package func seal(_ secret: Data, named name: String, of app: BundleID) throws -> Data {
        guard let key = try current().first else { throw SecretError.unknownKey }
        let box = try AES.GCM.seal(secret, using: key, authenticating: Self.context(name, app))
        guard let sealed = box.combined else { throw SecretError.damaged }
        return Data([Self.version]) + Self.id(of: key) + sealed
    }

    /// Decrypts a secret with the key whose identifier the encrypted secret contains.
    ///
    /// - Throws: ``SecretError`` if the key is missing in the key file, or the secret was changed or has an unknown format.
    package func open(_ sealed: Data, named name: String, of app: BundleID) throws -> Data {
        let bytes = [UInt8](sealed)
        guard bytes.count > 1 + Self.idLength, bytes[0] == Self.version else { throw SecretError.damaged }
        let key = try key(Data(bytes[1...Self.idLength]))
        do {
            let box = try AES.GCM.SealedBox(combined: Data(bytes[(1 + Self.idLength)...]))
            return try AES.GCM.open(box, using: key, authenticating: Self.context(name, app))
        } catch { throw SecretError.damaged }
    }

    /// Makes a key the current key; the earlier keys stay in the file, because earlier backups need them.
    ///
    /// The key is on the disk when the call returns. The caller must hold the lock of the secrets; see
    /// `PurchaseStorage.writeSecrets(_:)`.
    package func add(_ key: SymmetricKey) throws(ConfigurationError) {
        let earlier = try current()
        guard Self.id(of: key) != earlier.first.map(Self.id) else { return }
        guard let path else { return keys.withLock { $0 = [key] + earlier } }
        guard earlier.count < Self.limit else { throw .secretKeysFull(path: path) }
        try write([key] + earlier, to: path)
    }

    /// Removes the earlier keys that no secret needs; returns the number of earlier keys that remain.
    ///
    /// The caller must hold the lock of the secrets.
    package func removeKeys(except sealed: [Data]) throws(ConfigurationError) -> Int {
        let all = try current()
        let needed = Set(sealed.map { $0.dropFirst().prefix(Self.idLength) }.map { Data($0) })
        let rest = all.dropFirst().filter { needed.contains(Self.id(of: $0)) }
        if rest.count < all.count - 1 {
            if let path { try write(all.prefix(1) + rest, to: path) } else { keys.withLock { $0 = all.prefix(1) + rest } }
        }
        return rest.count
    }

    /// The number of keys in the key file.
    package var keyCount: Int { keys.withLock { $0.count } }

    /// Whether a secret is encrypted with the current key.
    package func isCurrent(_ sealed: Data) -> Bool {
        keys.withLock { $0.first.map(Self.id) } == Data(sealed.dropFirst().prefix(Self.idLength))
    }

    /// Reads the key file again, because another process may have changed the file; the current key is first.
    private func current() throws(ConfigurationError) -> [SymmetricKey] {
        guard let path else { return keys.withLock { $0 } }
        let all = try Self.read(path)
        keys.withLock { $0 = all }
        return all
    }

    /// Returns the key with an identifier; reads the file again for an unknown identifier, because another process may have rotated the
    /// keys.
    private func key(_ id: Data) throws -> SymmetricKey {
        if let key = keys.withLock({ $0.first { Self.id(of: $0) == id } }) { return key }
        guard let key = try current().first(where: { Self.id(of: $0) == id }) else { throw SecretError.unknownKey }
        return key
    }

    private static func id(of key: SymmetricKey) -> Data {
        Data(key.withUnsafeBytes { SHA256.hash(data: $0) }.prefix(idLength))
    }

    private static func context(_ name: String, _ app: BundleID) -> Data { Data("\(app)\n\(name)".utf8) }

    private static func read(_ path: String) throws(ConfigurationError) -> [SymmetricKey] {
        guard let data = FileManager.default.contents(atPath: path), data.count < 1 << 16 else { throw .secretKeyFile(path: path) }
        var keys: [SymmetricKey] = []
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard let bytes = Data(base64Encoded: String(line)), bytes.count == 32 else { throw .secretKeyFile(path: path) }
            keys.append(SymmetricKey(data: bytes))
        }
        guard !keys.isEmpty else { throw .secretKeyFile(path: path) }
        return keys
    }

    private func write(_ all: [SymmetricKey], to path: String) throws(ConfigurationError) {
        do { try DurableFile.replace(path, with: Self.text(all)) } catch { throw .secretKeyFile(path: path) }
        keys.withLock { $0 = all }
    }

    private static func text(_ keys: [SymmetricKey]) -> Data {
        Data(keys.map { $0.withUnsafeBytes { Data($0).base64EncodedString() } + "\n" }.joined().utf8)
    }
}

/// The reason why a stored secret can't be decrypted.
package enum SecretError: Error, Hashable {
    /// The key file does not contain the key of the secret.
    case unknownKey
    /// The secret was changed, or has an unknown format.
    case damaged
}
