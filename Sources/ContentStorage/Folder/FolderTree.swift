import Foundation
import PrivateFiles
import PurchaseModel

#if canImport(Glibc)
    import Glibc
#endif

/// The files of a folder by their keys; all functions block.
struct FolderTree: Sendable {
    /// The name of the folder for temporary files, which is not a component of any key because it begins with a dot.
    static let temporaryFolder = ".uploads"

    let root: String

    /// The path of the folder for temporary files, which is on the same file system as the objects.
    var temporaryPath: String { "\(root)/\(Self.temporaryFolder)" }

    func path(of key: ContentKey) -> String { "\(root)/\(key.text)" }

    /// Opens the file of an object.
    func open(_ key: ContentKey) throws(ContentStorageError) -> OpenFile {
        do throws(ContentStorageError) {
            return try OpenFile(blocking: path(of: key), followsLinks: false)
        } catch {
            // A missing folder, a file in the place of a folder, a symbolic link, or anything but a regular file.
            guard case .file(_, let number) = error, [ENOENT, ENOTDIR, ELOOP, EINVAL, ENXIO].contains(number) else { throw error }
            throw .notFound(key)
        }
    }

    func delete(_ key: ContentKey) throws(ContentStorageError) {
        let path = path(of: key)
        guard unsafe unlink(path) != 0 else {
            try synchronize(Self.parent(of: path))
            return
        }
        guard [ENOENT, ENOTDIR, EISDIR].contains(errno) else { throw .file(path: path, errorNumber: errno) }
    }

    /// Creates the folders between the root and the file of a key, durably.
    func createFolders(for key: ContentKey) throws(ContentStorageError) {
        var path = root
        for component in key.components.dropLast() {
            let parent = path
            path += "/\(component)"
            if unsafe mkdir(path, 0o700) == 0 {
                try synchronize(parent)
            } else if errno != EEXIST {
                throw .file(path: path, errorNumber: errno)
            }
        }
    }

    /// Creates the root and the folder for temporary files, durably.
    func createTemporaryFolder() throws(ContentStorageError) {
        guard unsafe access(temporaryPath, F_OK) != 0 else { return }
        do throws(PrivateFileError) { try PrivateFiles.createFolder(temporaryPath) } catch {
            throw .file(path: error.path, errorNumber: error.errorNumber)
        }
        try synchronize(root)
        try synchronize(Self.parent(of: root))
    }

    /// Returns when the changes of a folder's entries are on the disk.
    func synchronize(_ folder: String) throws(ContentStorageError) {
        let descriptor = Self.openFolder(folder)
        guard descriptor >= 0 else { throw .file(path: folder, errorNumber: errno) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .file(path: folder, errorNumber: errno) }
    }

    private static func openFolder(_ path: String) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #else
            unsafe Darwin.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #endif
    }

    /// Returns the path of the folder that contains a file or a folder.
    static func parent(of path: String) -> String {
        let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return path == "/" ? "/" : "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// Removes temporary files whose last change precedes a date, and returns their number.
    func removeTemporaryFiles(before date: Timestamp) throws(ContentStorageError) -> Int {
        var removed = 0
        for entry in try FolderEntry.all(in: temporaryPath) where !entry.isFolder {
            let path = "\(temporaryPath)/\(entry.name)"
            guard let file = try? OpenFile(blocking: path, followsLinks: false), file.status.modified < date else { continue }
            if unsafe unlink(path) == 0 { removed += 1 }
        }
        return removed
    }
}

/// A file or a folder in a folder.
struct FolderEntry: Sendable {
    let name: String
    let isFolder: Bool

    /// Returns the entries of a folder; none for a folder that does not exist.
    ///
    /// Symbolic links are not entries.
    static func all(in folder: String) throws(ContentStorageError) -> [FolderEntry] {
        guard let stream = unsafe opendir(folder) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .file(path: folder, errorNumber: errno) }
            return []
        }
        defer { unsafe closedir(stream) }
        var entries: [FolderEntry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, name != ".", name != "..", let isFolder = isFolder("\(folder)/\(name)") else { continue }
            entries.append(FolderEntry(name: name, isFolder: isFolder))
        }
        return entries
    }

    /// Returns true for a folder, false for a regular file, and nil for anything else.
    private static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return true
        case S_IFREG: return false
        default: return nil
        }
    }
}
