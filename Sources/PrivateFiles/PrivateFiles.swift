import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Files and folders that only their owner can read: they hold private keys, receipts and customers' purchases.
///
/// A folder that a call makes has the rights 0700 and a file 0600, whatever the umask. A folder that is there already keeps its
/// rights, because its user may share it on purpose; a file of ours in it loses those of the group and of others.
package enum PrivateFiles {
    /// Makes a folder, and the folders that it lies in, where they are not there.
    package static func makeFolder(_ path: String) throws(PrivateFileError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let failure = PrivateFileError(path: path, number: errno)
        if failure.number == ENOENT, let slash = path.trimmingSuffix(while: { $0 == "/" }).lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
            guard unsafe mkdir(path, 0o700) != 0 else { return }
        }
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw failure }
        guard isFolder.boolValue else { throw PrivateFileError(path: path, number: ENOTDIR) }
    }

    /// Makes an empty file; one that is there keeps its contents and loses the rights of the group and of others.
    ///
    /// - Throws: Also for a symbolic link, wherever it leads: who left it in the way would choose which file of ours is written.
    package static func makeFile(_ path: String) throws(PrivateFileError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file < 0 else {
            _ = close(file)
            return
        }
        guard errno == EEXIST else { throw PrivateFileError(path: path, number: errno) }
        try tighten(path)
    }

    /// Makes the file of a SQLite database; SQLite gives the files that it puts beside it the same rights.
    package static func makeDatabase(_ path: String) throws(PrivateFileError) {
        try makeFile(path)
        for suffix in ["-wal", "-shm", "-journal"] {
            // Who has the database open, and closes it, takes them away.
            do { try tighten(path + suffix) } catch  where error.number == ENOENT {}
        }
    }

    /// Takes the rights of the group and of others from a file, if it is this user's; refuses a link.
    ///
    /// By its path: closing a descriptor of the file would end the locks that SQLite holds on it in this process.
    private static func tighten(_ path: String) throws(PrivateFileError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw PrivateFileError(path: path, number: errno) }
        let (mode, owner) = (status.st_mode, status.st_uid)
        guard mode & S_IFMT != S_IFLNK else { throw PrivateFileError(path: path, number: ELOOP) }
        guard mode & S_IFMT == S_IFREG, mode & 0o077 != 0, owner == geteuid() else { return }
        guard unsafe fchmodat(AT_FDCWD, path, mode & 0o700, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw PrivateFileError(path: path, number: errno)
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
