import ArgumentParser
import Foundation
import PrivateFiles

/// The lock of a folder, which one process at a time has until it ends.
///
/// Two processes must not run the same stores: each would process their renewals.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// Creates the folder, and locks it.
    ///
    /// - Throws: `ValidationError` if the folder can't be created, or if another process has locked it.
    init(_ folder: String) throws {
        do { try PrivateFiles.createFolder(folder) } catch {
            throw ValidationError("\(error): this path can't be created or is not a folder. Choose another folder with --folder.")
        }
        let file = open("\(folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 else {
            if file >= 0 { close(file) }
            throw ValidationError("\(folder) is in use by another process, or can't be written. Choose another folder with --folder.")
        }
        descriptor = file
    }

    deinit { close(descriptor) }
}
