import ArgumentParser
import Foundation
import PrivateFiles
import StoreProtocol

/// The location of a running store's files: a permanent folder, or a temporary folder that is removed when the process ends.
struct StoreFolder {
    /// The folder's absolute path.
    let folder: String
    /// Whether the folder is temporary; the store is then in memory.
    let isTemporary: Bool
    private let lock: Int32

    /// Creates the folder if necessary, and locks it, because two processes must not run the same store.
    ///
    /// A nil path creates a temporary folder.
    ///
    /// - Throws: A usage error if the folder can't be created, or if another process has locked it.
    init(_ folder: String?) throws {
        isTemporary = folder == nil
        let url =
            folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory.appending(path: "tillroll-\(UUID().uuidString)")
        self.folder = url.standardizedFileURL.path
        do { try PrivateFiles.createFolder(self.folder) } catch {
            throw ValidationError("\(error): this path can't be created or is not a folder. Choose another folder with --folder.")
        }
        lock = open("\(self.folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let isInUse = lock >= 0 && errno == EWOULDBLOCK
            let process = Self.process(of: lock)
            if isTemporary { try? PrivateFiles.removeFolder(self.folder) }
            throw ValidationError(
                isInUse
                    ? "\(self.folder) is in use: a store runs there already\(process). Stop the store, or choose another --folder."
                    : "\(self.folder) can't be locked or written. Choose another folder with --folder.")
        }
        // Write the process ID, which the error of another process for the locked folder states.
        if ftruncate(lock, 0) == 0 { try? FileDescriptor(number: lock).write(Array("\(getpid())\n".utf8)) }
    }

    /// Returns the identifier of the process that has locked a file, as text to append to a sentence; empty if the file states no
    /// identifier.
    private static func process(of lock: Int32) -> String {
        guard lock >= 0, let bytes = try? FileDescriptor(number: lock).read(atMost: 32) else { return "" }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return Int32(text).map { " (process \($0))" } ?? ""
    }

    /// The path of the default store's database.
    var database: String { "\(folder)/store.sqlite" }
    /// The folder for the databases of other persistent stores on the same host.
    var stores: String { "\(folder)/stores" }

    /// Whether the folder contains the default store.
    var hasStore: Bool { FileManager.default.fileExists(atPath: database) }

    /// Writes `root.pem` and `api-key.p8`, and returns the description with their paths instead of PEM texts.
    ///
    /// - Throws: A usage error if the files can't be written.
    func writeKeyFiles(of description: StoreDescription) throws -> StoreDescription {
        try StoreKeyFiles(folder).writeKeyFiles(of: description)
    }

    /// Unlocks the folder, and removes a temporary folder.
    func release() {
        remove()
        close(lock)
    }

    /// Removes a temporary folder.
    func remove() {
        if isTemporary { try? PrivateFiles.removeFolder(folder) }
    }
}
