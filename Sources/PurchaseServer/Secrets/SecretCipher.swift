import Crypto
import Foundation
import PrivateFiles
public import PurchaseModel
import PurchaseProof
import Synchronization

/// Encrypts the server's secrets in the database with AES-GCM, under a key that is not in the database.
///
/// A stored secret is the version 1, the identifier of the key (8 bytes), and the nonce, the ciphertext and the tag of AES-256-GCM. The app
/// and the name of the secret are authenticated, so a secret can't take the place of another one.
final class SecretCipher: Sendable {
    private static let version: UInt8 = 1
    private static let idLength = 8

    /// The file with the keys; nil for a database in memory, whose key is in memory, too.
    private let path: String?
    private let keys: Mutex<[SymmetricKey]>

    /// Opens the file with the keys, which contains one key of 32 bytes in base64 in each line, the current one first.
    ///
    /// - Parameter path: The path; a file that does not exist is created. Nil for a key in memory.
    /// - Throws: ``ConfigurationError/secretKeyFile(path:)`` if the file can't be read or created, or has another format.
    init(path: String?) throws(ConfigurationError) {
        self.path = path
        guard let path else {
            keys = Mutex([SymmetricKey(size: .bits256)])
            return
        }
        // Two processes can start at the same time, so a file that exists by now counts.
        do {
            if !FileManager.default.fileExists(atPath: path) {
                _ = try DurableFile.create(path, with: Self.text([SymmetricKey(size: .bits256)]))
            }
        } catch { throw .secretKeyFile(path: path) }
        keys = Mutex(try Self.read(path))
    }

    /// Encrypts a secret with the current key.
    func seal(_ secret: Data, named name: String, of app: BundleID) throws -> Data {
        guard let key = keys.withLock({ $0.first }) else { throw SecretError.unknownKey }
        let box = try AES.GCM.seal(secret, using: key, authenticating: Self.context(name, app))
        guard let sealed = box.combined else { throw SecretError.damaged }
        return Data([Self.version]) + Self.id(of: key) + sealed
    }

    /// Decrypts a secret.
    ///
    /// - Throws: ``SecretError`` if the key is missing in the file, or the secret was changed.
    func open(_ sealed: Data, named name: String, of app: BundleID) throws -> Data {
        let bytes = [UInt8](sealed)
        guard bytes.count > 1 + Self.idLength, bytes[0] == Self.version else { throw SecretError.damaged }
        let key = try key(Data(bytes[1...Self.idLength]))
        do {
            let box = try AES.GCM.SealedBox(combined: Data(bytes[(1 + Self.idLength)...]))
            return try AES.GCM.open(box, using: key, authenticating: Self.context(name, app))
        } catch { throw SecretError.damaged }
    }

    /// Adds a new current key to the file; the earlier keys stay until ``removeEarlierKeys()``.
    func addKey() throws(ConfigurationError) {
        // Another process can have changed the file.
        let earlier = if let path { try Self.read(path) } else { keys.withLock { $0 } }
        let all = [SymmetricKey(size: .bits256)] + earlier
        if let path { try Self.write(all, to: path) }
        keys.withLock { $0 = all }
    }

    /// Removes all keys except the current one, after every secret was encrypted with it.
    func removeEarlierKeys() throws(ConfigurationError) {
        let current = Array(keys.withLock { $0 }.prefix(1))
        if let path { try Self.write(current, to: path) }
        keys.withLock { $0 = current }
    }

    /// Returns the key with an identifier; reads the file again if another process has rotated the keys.
    private func key(_ id: Data) throws -> SymmetricKey {
        if let key = keys.withLock({ $0.first { Self.id(of: $0) == id } }) { return key }
        guard let path else { throw SecretError.unknownKey }
        let all = try Self.read(path)
        keys.withLock { $0 = all }
        guard let key = all.first(where: { Self.id(of: $0) == id }) else { throw SecretError.unknownKey }
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

    private static func write(_ keys: [SymmetricKey], to path: String) throws(ConfigurationError) {
        do { try DurableFile.replace(path, with: text(keys)) } catch { throw .secretKeyFile(path: path) }
    }

    private static func text(_ keys: [SymmetricKey]) -> Data {
        Data(keys.map { $0.withUnsafeBytes { Data($0).base64EncodedString() } + "\n" }.joined().utf8)
    }
}

/// The reason why a stored secret can't be decrypted.
enum SecretError: Error, Hashable {
    /// The file with the keys does not contain the key of the secret.
    case unknownKey
    /// The secret was changed, or has an unknown format.
    case damaged
}

/// The secrets of one app.
struct SecretService: Sendable {
    let app: BundleID
    let storage: any PurchaseStorage
    let cipher: SecretCipher

    /// Returns a secret, which the first call of any server with the same database creates.
    func secret(_ name: String, orNew create: @Sendable () -> Data) async throws -> Data {
        let candidate = create()
        return try await storage.write(app) { [cipher, app] records in
            if let sealed = try records.secret(name) { return try cipher.open(sealed, named: name, of: app) }
            try records.put(try cipher.seal(candidate, named: name, of: app), named: name)
            return candidate
        }
    }

    /// Returns a secret; nil if it was not created.
    func secret(_ name: String) async throws -> Data? {
        try await storage.read(app) { [cipher, app] records in
            try records.secret(name).map { try cipher.open($0, named: name, of: app) }
        }
    }

    /// Replaces a secret by the one that follows from it; nil stands for a secret that was not created.
    func replace(_ name: String, with change: @escaping @Sendable (Data?) -> Data) async throws {
        try await storage.write(app) { [cipher, app] records in
            let secret = try records.secret(name).map { try cipher.open($0, named: name, of: app) }
            try records.put(try cipher.seal(change(secret), named: name, of: app), named: name)
        }
    }

    /// Encrypts all secrets again, with the current key; returns their number.
    func encryptAgain() async throws -> Int {
        try await storage.write(app) { [cipher, app] records in
            let names = try records.secretNames()
            for name in names {
                guard let sealed = try records.secret(name) else { continue }
                let secret = try cipher.open(sealed, named: name, of: app)
                try records.put(try cipher.seal(secret, named: name, of: app), named: name)
            }
            return names.count
        }
    }
}

/// The result of ``PurchaseServer/rotateSecretKey()``.
public struct SecretRotation: Hashable, Sendable {
    /// The number of secrets that were encrypted with the new key.
    public let encryptedSecrets: Int
    /// The apps with secrets in the database that are not configured, because of which the earlier keys are still in the key file.
    public let unconfiguredApps: [BundleID]
}
