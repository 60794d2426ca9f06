import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Creates files and folders that only their owner can read, for private keys, receipts and customers' purchases.
///
/// A new folder has the permissions 0700 and a new file has the permissions 0600, regardless of the umask. An existing folder keeps its
/// permissions, because its owner may share the folder on purpose. An existing file loses the permissions of group and others.
package enum PrivateFiles {
    /// Creates a folder and its missing parent folders.
    package static func createFolder(_ path: String) throws(PrivateFileError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let failure = PrivateFileError(path: path, errorNumber: errno)
        if failure.errorNumber == ENOENT, let slash = path.trimmingSuffix(while: { $0 == "/" }).lastIndex(of: "/"), slash != path.startIndex
        {
            try createFolder(String(path[..<slash]))
            guard unsafe mkdir(path, 0o700) != 0 else { return }
        }
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw failure }
        guard isFolder.boolValue else { throw PrivateFileError(path: path, errorNumber: ENOTDIR) }
    }

    /// Removes a folder with its contents, even if other threads are removing files of the folder at the same time.
    ///
    /// SQLite removes files of a database when the last connection is closed. A failed removal is retried, because `FileManager` throws an
    /// error if another thread removes a file first, and leaves the other files.
    ///
    /// - Throws: The error of the last of 16 attempts. A missing folder is no error.
    package static func removeFolder(_ path: String) throws {
        for _ in 1..<16 {
            if (try? FileManager.default.removeItem(atPath: path)) != nil || !FileManager.default.fileExists(atPath: path) { return }
        }
        try FileManager.default.removeItem(atPath: path)
    }

    /// Creates an empty file; an existing file keeps its contents and loses the permissions of group and others.
    ///
    /// - Throws: ``PrivateFileError`` when the file cannot be created, and for a symbolic link, because the creator of the link would
    ///   determine which file is written.
    package static func createFile(_ path: String) throws(PrivateFileError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file < 0 else {
            _ = close(file)
            return
        }
        guard errno == EEXIST else { throw PrivateFileError(path: path, errorNumber: errno) }
        try restrictPermissions(path)
    }

    /// Creates the file of a SQLite database; SQLite creates its accompanying files with the same permissions.
    package static func createDatabase(_ path: String) throws(PrivateFileError) {
        try createFile(path)
        for suffix in ["-wal", "-shm", "-journal"] {
            // Accompanying files can be absent, because the last connection that closes the database removes them.
            do { try restrictPermissions(path + suffix) } catch  where error.errorNumber == ENOENT {}
        }
    }

    /// Removes the permissions of group and others from a file of the current user, and refuses a symbolic link.
    ///
    /// The function does not open the file, because closing a descriptor would release the locks that SQLite holds on the file in this
    /// process.
    private static func restrictPermissions(_ path: String) throws(PrivateFileError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw PrivateFileError(path: path, errorNumber: errno) }
        let (mode, owner) = (status.st_mode, status.st_uid)
        guard mode & S_IFMT != S_IFLNK else { throw PrivateFileError(path: path, errorNumber: ELOOP) }
        guard mode & S_IFMT == S_IFREG, mode & 0o077 != 0, owner == geteuid() else { return }
        guard unsafe fchmodat(AT_FDCWD, path, mode & 0o700, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw PrivateFileError(path: path, errorNumber: errno)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, predicate(last) { rest = rest.dropLast() }
        return rest
    }
}
