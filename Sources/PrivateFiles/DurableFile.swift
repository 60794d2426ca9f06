package import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Replaces small files as a whole, so that the new contents are on the disk when the call returns.
///
/// A crash leaves either the old contents or the new contents, never a mixture. The new file is written in the same folder, synchronized,
/// and renamed over the old file. Then the folder is synchronized, because the rename itself could be lost otherwise.
package enum DurableFile {
    /// The step at which replacing a file failed.
    package enum Failure: Error, Equatable, Sendable {
        /// The new file cannot be written, because of missing space or permission.
        case write
        /// The new file cannot be renamed to the path of the old file.
        case rename
        /// The folder of the file cannot be synchronized to the disk.
        case synchronize
    }

    /// Replaces the file at `path`, or creates it.
    ///
    /// - Parameter isPublic: Whether all users may read the file, which suits a certificate; otherwise only the owner may read the file.
    package static func replace(_ path: String, with data: Data, isPublic: Bool = false) throws(Failure) {
        // Two replacements at the same time would remove each other's new file.
        try lock.withLock { _ throws(Failure) in try replaceLocked(path, with: data, isPublic: isPublic) }
    }

    /// Creates the file at `path`, unless a file has this path.
    ///
    /// If several processes call the function at the same time, one of them creates the file, and no process finds an incomplete file.
    ///
    /// - Returns: Whether this call created the file.
    /// - Throws: ``Failure``; the file can exist only after ``Failure/synchronize``.
    package static func create(_ path: String, with data: Data) throws(Failure) -> Bool {
        let new = "\(path).\(UUID().uuidString).new"
        defer { _ = unsafe unlink(new) }
        try write(data, to: new, isPublic: false)
        // Unlike a rename, a link does not replace a file.
        guard unsafe link(new, path) == 0 else {
            guard errno == EEXIST else { throw .rename }
            return false
        }
        try synchronizeFolder(of: path)
        return true
    }

    private static let lock = Mutex(())

    private static func replaceLocked(_ path: String, with data: Data, isPublic: Bool) throws(Failure) {
        let new = path + ".new"
        // A crash may have left an incomplete new file.
        _ = unsafe unlink(new)
        try write(data, to: new, isPublic: isPublic)
        try move(new, to: path)
    }

    /// Creates a file, and returns when its contents are on the disk.
    private static func write(_ data: Data, to new: String, isPublic: Bool) throws(Failure) {
        do { try PrivateFiles.createFile(new) } catch { throw .write }
        guard unsafe !isPublic || chmod(new, 0o644) == 0, let handle = FileHandle(forWritingAtPath: new) else { throw .write }
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .write
        }
    }

    /// Renames a complete file to its final path, and returns when the rename is on the disk.
    package static func move(_ new: String, to path: String) throws(Failure) {
        guard unsafe rename(new, path) == 0 else { throw .rename }
        try synchronizeFolder(of: path)
    }

    private static func synchronizeFolder(of path: String) throws(Failure) {
        // A folder can be opened for reading only, and still be synchronized.
        guard let folder = FileHandle(forReadingAtPath: URL(filePath: path).deletingLastPathComponent().path) else { throw .synchronize }
        do {
            try folder.synchronize()
            try folder.close()
        } catch {
            throw .synchronize
        }
    }
}
