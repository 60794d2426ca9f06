import Foundation
import NIOCore
import PrivateFiles

#if canImport(Glibc)
    import Glibc
#endif

/// A file that becomes an object when it is complete; all functions block.
final class TemporaryFile: Sendable {
    private let tree: FolderTree
    private let path: String
    private let descriptor: Int32

    /// Creates an empty file with a unique name in the folder for temporary files.
    init(in tree: FolderTree) throws(ContentStorageError) {
        try tree.createTemporaryFolder()
        let path = "\(tree.temporaryPath)/\(UUID().uuidString)"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, errorNumber: errno) }
        self.tree = tree
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Creates a file outside of any storage, which only this user can read, with some bytes.
    static func create(_ path: String, with bytes: Data) throws(ContentStorageError) {
        do throws(PrivateFileError) { try PrivateFiles.createFile(path) } catch {
            throw .file(path: path, errorNumber: error.errorNumber)
        }
        do { try bytes.write(to: URL(filePath: path)) } catch { throw .file(path: path, errorNumber: EIO) }
    }

    /// Writes bytes at the end of the file.
    func append(_ chunk: ByteBuffer) throws(ContentStorageError) {
        var errorNumber: Int32 = 0
        unsafe chunk.withUnsafeReadableBytes { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let count = unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    unsafe rest = rest.dropFirst(count)
                } else if count == 0 || errno != EINTR {
                    errorNumber = count == 0 ? EIO : errno
                    return
                }
            }
        }
        guard errorNumber == 0 else { throw .file(path: path, errorNumber: errorNumber) }
    }

    /// Renames the file to the file of an object, and returns when its bytes and its name are on the disk.
    func commit(as key: ContentKey) throws(ContentStorageError) -> FileStatus {
        guard fsync(descriptor) == 0, let status = FileStatus(of: descriptor) else { throw .file(path: path, errorNumber: errno) }
        try tree.createFolders(for: key)
        let target = tree.path(of: key)
        do throws(DurableFile.Failure) { try DurableFile.move(path, to: target) } catch {
            throw .file(path: target, errorNumber: error == .rename && errno != 0 ? errno : EIO)
        }
        return status
    }

    /// Deletes the file if it is not an object yet.
    func remove() {
        _ = unsafe unlink(path)
    }
}
