import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProtocol

/// Where a running store keeps its files: a folder that lasts, or one that is gone with the process.
struct StorePlace {
    /// The folder, as an absolute path.
    let folder: String
    /// Whether the folder goes with the process; the store is in memory then.
    let isTemporary: Bool
    private let lock: Int32

    /// Takes a folder for this process: two stores with one clock would confuse each other.
    ///
    /// - Throws: A usage error when the folder can't be used.
    init(_ folder: String?) throws {
        isTemporary = folder == nil
        let url =
            folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory.appending(path: "tillroll-\(UUID().uuidString)")
        self.folder = url.standardizedFileURL.path
        do { try PrivateFiles.makeFolder(self.folder) } catch {
            throw ValidationError("\(error): it can't be made or is no folder. Choose another with --folder.")
        }
        lock = open("\(self.folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if isTemporary { try? FileManager.default.removeItem(atPath: self.folder) }
            throw ValidationError("\(self.folder) is in use by another store, or can't be written; choose another with --folder.")
        }
    }

    /// The file of the default store.
    var database: String { "\(folder)/store.sqlite" }
    /// Where further stores that last are kept.
    var stores: String { "\(folder)/stores" }

    /// Whether there is a store already.
    var hasStore: Bool { FileManager.default.fileExists(atPath: database) }

    /// Writes the two files that a developer's server needs, and returns a description that names them.
    ///
    /// - Throws: A usage error when they can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        try StoreKeyFiles(folder).publish(description)
    }

    /// Gives the folder back; a temporary one is removed.
    func leave() {
        remove()
        close(lock)
    }

    /// Removes a temporary folder; one that lasts stays.
    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: folder) }
    }
}
