public import Foundation
import PrivateFiles
import PurchaseModel

/// A keychain that stores each secret in a file, for systems without a keychain service.
///
/// Only the owner can read the files, so the secrets are protected from other users of the machine, but not from the owner. A file that
/// other users can read is refused. A copy of the folder contains the items of every ``KeychainScope``, so a system with the copy counts as
/// the same device.
public struct FileKeychain: Keychain {
    private let folder: String

    /// Opens a keychain in a dedicated folder, which is created if it does not exist.
    ///
    /// - Throws: ``VaultError/storage(reason:)`` if the folder can't be created.
    public init(folder: String) throws(VaultError) {
        self.folder = folder
        do {
            try PrivateFiles.createFolder(folder)
        } catch {
            throw .storage(reason: "the keychain's folder can't be created")
        }
    }

    /// Returns the secret with a name; nil if there is none.
    ///
    /// - Throws: ``VaultError/storage(reason:)`` for a secret that can't be read, or that other users can read.
    public func secret(_ name: String) throws(VaultError) -> Data? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            guard attributes[.type] as? FileAttributeType == .typeRegular, permissions & 0o077 == 0 else {
                throw VaultError.storage(reason: "other users can read the keychain's item \(name); make the file private with chmod 600")
            }
            return try Data(contentsOf: URL(filePath: path(name)))
        } catch let error as VaultError {
            throw error
        } catch {
            throw .storage(reason: "the keychain's item \(name) can't be read")
        }
    }

    /// Stores a secret under a name; the secret is durable when the call returns.
    public func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
        do {
            try DurableFile.replace(path(name), with: secret)
        } catch {
            throw .storage(reason: "the keychain's item \(name) can't be written (\(error))")
        }
    }

    /// Stores a secret under a name that has none, in one step; the stored secret is durable when the call returns.
    ///
    /// - Parameters:
    ///   - secret: The secret to store.
    ///   - name: The name of the secret.
    ///   - scope: The devices on which the secret is available; a copy of the folder contains each secret.
    /// - Returns: The stored secret: `secret`, or the secret that was stored under the name before.
    /// - Throws: ``VaultError/storage(reason:)`` for a secret that can't be read or written, or that other users can read.
    public func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data {
        let isCreated: Bool
        do {
            isCreated = try DurableFile.create(path(name), with: secret)
        } catch {
            throw .storage(reason: "the keychain's item \(name) can't be written (\(error))")
        }
        guard !isCreated else { return secret }
        guard let stored = try self.secret(name) else {
            throw .storage(reason: "the keychain's item \(name) can't be read")
        }
        return stored
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
