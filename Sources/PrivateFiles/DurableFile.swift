package import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Replaces small files as a whole, so that the new contents are on the disk when the call returns.
///
/// A crash leaves either the old contents or the new contents, never a mixture. The new file is written in the same folder, synchronized,
/// and renamed over the old file. Then the folder is synchronized, because the rename itself could be lost otherwise.
///
/// Several processes can replace the same file at the same time: the file has the contents of one of them. A process that replaces a file by
/// contents that follow from the old ones needs a lock of its own.
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
        let new = path + ".new"
        // Two replacements at the same time would rename each other's incomplete file. A crash may have left one.
        let file: Int32
        do { file = try LockedFile.openEmpty(new, waits: true) } catch { throw .write }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
        // The end of the lock is the last step.
        defer { _ = close(file) }
        do {
            if isPublic, fchmod(file, 0o644) != 0 { throw Failure.write }
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            _ = unsafe unlink(new)
            throw .write
        }
        try move(new, to: path)
    }

    /// Creates the file at `path`, unless a file has this path.
    ///
    /// If several processes call the function at the same time, one of them creates the file, and no process finds an incomplete file.
    ///
    /// - Returns: Whether this call created the file; the file is on the disk in both cases.
    /// - Throws: ``Failure``; the file can exist only after ``Failure/synchronize``.
    package static func create(_ path: String, with data: Data) throws(Failure) -> Bool {
        let new = "\(path).\(UUID().uuidString).new"
        defer { _ = unsafe unlink(new) }
        try write(data, to: new)
        // Unlike a rename, a link does not replace a file.
        guard unsafe link(new, path) == 0 else {
            guard errno == EEXIST else { throw .rename }
            // The process that has created the file may not have synchronized the folder yet, and contents can depend on the file.
            try synchronizeFolder(of: path)
            return false
        }
        try synchronizeFolder(of: path)
        return true
    }

    /// Creates a file, and returns when its contents are on the disk.
    private static func write(_ data: Data, to new: String) throws(Failure) {
        do { try PrivateFiles.createFile(new) } catch { throw .write }
        guard let handle = FileHandle(forWritingAtPath: new) else { throw .write }
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
