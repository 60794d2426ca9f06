import ContentManifest
import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
import PurchaseModel

#if canImport(Glibc)
    import Glibc
#endif

/// An open regular file, whose ranges are read in any order.
final class OpenFile: Sendable {
    /// The number of bytes of one read.
    static let chunkLength = 256 << 10

    let path: String
    /// The identity of the file when it was opened.
    let status: FileStatus
    private let descriptor: Int32

    /// Opens a file for reading; blocks.
    ///
    /// - Parameter followsLinks: Whether the last component of the path may be a symbolic link.
    /// - Throws: ``ContentStorageError/file(path:errorNumber:)``; for anything but a regular file with `EISDIR` or `EINVAL`.
    init(blocking path: String, followsLinks: Bool) throws(ContentStorageError) {
        // Opening a pipe without O_NONBLOCK would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .file(path: path, errorNumber: errno) }
        guard let status = FileStatus(of: descriptor) else {
            _ = close(descriptor)
            throw .file(path: path, errorNumber: EINVAL)
        }
        self.path = path
        self.descriptor = descriptor
        self.status = status
    }

    deinit {
        _ = close(descriptor)
    }

    /// Opens a file that is to be stored.
    static func opening(_ path: String) async throws(ContentStorageError) -> OpenFile {
        try await BlockingWork.run { () throws(ContentStorageError) in try OpenFile(blocking: path, followsLinks: true) }
    }

    /// The length in bytes when the file was opened.
    var length: Int64 { status.length }

    /// Throws ``ContentStorageError/fileChanged(path:)`` if the file changed since it was opened.
    func checkUnchanged() throws(ContentStorageError) {
        guard FileStatus(of: descriptor) == status else { throw .fileChanged(path: path) }
    }

    /// Returns ``ContentStorageError/fileChanged(path:)`` if the file changed since it was opened, which explains other errors.
    func explained(_ error: ContentStorageError) -> ContentStorageError {
        if case .canceled = error { return error }
        return FileStatus(of: descriptor) == status ? error : .fileChanged(path: path)
    }

    /// Reads up to `count` bytes at an offset; blocks.
    ///
    /// Returns an empty buffer at the end of the file.
    func readBlocking(at offset: Int64, count: Int) throws(ContentStorageError) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        var errorNumber: Int32 = 0
        unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            while true {
                let found = unsafe pread(descriptor, bytes.baseAddress, min(count, bytes.count), off_t(offset))
                if found >= 0 { return found }
                guard errno == EINTR else {
                    errorNumber = errno
                    return 0
                }
            }
        }
        guard errorNumber == 0 else { throw .file(path: path, errorNumber: errorNumber) }
        return buffer
    }

    /// Returns the chunks of a range of the file.
    ///
    /// - Throws: ``ContentStorageError/truncated``, from the sequence, if the file became shorter.
    func chunks(_ range: Range<Int64>) -> ContentChunks {
        let reader = FileChunkReader(self, range)
        return ContentChunks(length: Int64(range.count)) { () async throws(ContentStorageError) in try await reader.next() }
    }

    /// Computes a digest of a range of the file, with the memory of one chunk.
    func digest<Function: HashFunction>(
        _ range: Range<Int64>, _ function: Function.Type
    ) async throws(ContentStorageError) -> Function.Digest {
        var hash = Function()
        var iterator = chunks(range).makeAsyncIterator()
        while let chunk = try await iterator.next(isolation: #isolation) {
            hash.update(data: chunk.readableBytesView)
        }
        return hash.finalize()
    }

    /// Computes the SHA-256 of the file or of a range of it.
    func sha256(_ range: Range<Int64>? = nil) async throws(ContentStorageError) -> ContentDigest {
        ContentDigest(try await digest(range ?? 0..<length, SHA256.self))
    }
}
