import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProtocol

/// The location of a running store's files: a permanent folder, or a temporary folder that is removed when the process ends.
struct StorePlace {
    /// The folder, as an absolute path.
    let folder: String
    /// Whether the folder is temporary; the store is then in memory.
    let isTemporary: Bool
    private let lock: Int32

    /// Locks a folder for this process, because two stores with one clock would disturb each other.
    ///
    /// - Throws: A usage error if the folder can't be used.
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
    /// The folder of further permanent stores.
    var stores: String { "\(folder)/stores" }

    /// Whether the folder contains a store.
    var hasStore: Bool { FileManager.default.fileExists(atPath: database) }

    /// Writes the two files that a developer's server needs, and returns a description that names them.
    ///
    /// - Throws: A usage error if the files can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        try StoreKeyFiles(folder).publish(description)
    }

    /// Unlocks the folder, and removes it if it is temporary.
    func leave() {
        remove()
        close(lock)
    }

    /// Removes a temporary folder; a permanent one stays.
    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: folder) }
    }
}
