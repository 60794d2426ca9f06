public import Foundation
import PrivateFiles
import PurchaseModel

/// A keychain made of files that only their owner can read, for systems that have no keychain.
///
/// It keeps secrets from other users of the machine, not from its owner; see the threat model.
public struct FileKeychain: Keychain {
    private let folder: String

    /// Opens a keychain in a folder of its own, making it when it is not there.
    public init(folder: String) throws(VaultError) {
        self.folder = folder
        do {
            try PrivateFiles.makeFolder(folder)
        } catch {
            throw .storage(reason: "the keychain's folder can't be made")
        }
    }

    /// The secret under a name; nil when there is none.
    public func secret(_ name: String) throws(VaultError) -> Data? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        do {
            return try Data(contentsOf: URL(filePath: path(name)))
        } catch {
            throw .storage(reason: "the keychain's item \(name) can't be read")
        }
    }

    /// Keeps a secret under a name.
    public func set(_ secret: Data, for name: String) throws(VaultError) {
        do {
            try DurableFile.replace(path(name), with: secret)
        } catch {
            throw .storage(reason: "the keychain's item \(name) can't be written (\(error))")
        }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
