import Crypto
import Foundation
import FoundationExtras
import PurchaseStorage

#if canImport(Glibc)
    import Glibc
#endif

/// The file of refused lines: JSON Lines with the refused records and the reasons, which can be imported after a correction.
///
/// Refused CSV records are also written as JSON, because broken quotes in a CSV record would corrupt the following records.
final class RefusedLines {
    /// The length of the file in bytes.
    private(set) var length: Int64
    /// The device and the inode of the file, by which an import recognizes the file before the progress contains refused lines.
    let identity: String
    /// The SHA-256 of the file, by which an import recognizes a file with refused lines; a copy of the file, or a restart of the machine,
    /// may change the device and the inode.
    var digest: String { Hexadecimal.encode(hash.finalize()) }
    private let path: String
    private let handle: FileHandle
    private var hash = SHA256()
    private var pending = Data()

    /// Creates a file that only this user can read, or opens the file of an interrupted import and discards the lines after the stored
    /// progress.
    ///
    /// The import refuses any other existing file that is not empty, because the file may contain corrected lines.
    ///
    /// - Throws: ``PurchaseImportError``.
    init(_ path: String, continuing progress: ImportProgress) throws(PurchaseImportError) {
        var descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let isNew = descriptor >= 0
        if !isNew {
            guard errno == EEXIST else { throw .refusedFile(path: path) }
            // Open with `O_NONBLOCK`, because opening a pipe would otherwise wait for the other end.
            descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw .refusedFileExists(path: path) }
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        (self.path, length) = (path, max(0, progress.refusedLength))
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .refusedFileBusy(path: path) }
        // Read the status after the lock, because another import may write or delete the file before the lock.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .refusedFile(path: path) }
        identity = "\(status.st_dev):\(status.st_ino)"
        let isFile = status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
        guard isFile else { throw .refusedFileExists(path: path) }
        let isWhole = Int64(status.st_size) >= length
        if isWhole {
            do { hash = try Self.hash(handle, length: length) } catch { throw .refusedFile(path: path) }
        }
        var isOwn = identity == progress.refusedFile
        if isWhole, length > 0 {
            // Without a digest, check the identity; without an identity, accept any file. Earlier versions stored no digest, and the first
            // versions stored no identity.
            if let expected = progress.refusedDigest { isOwn = digest == expected } else { isOwn = isOwn || progress.refusedFile == nil }
        }
        guard isNew || status.st_size == 0 || isOwn else { throw .refusedFileExists(path: path) }
        guard isWhole else {
            if isNew { unlink(path) }
            throw .refusedFileLost(path: path)
        }
        do {
            try handle.truncate(atOffset: UInt64(length))
            _ = try handle.seekToEnd()
        } catch { throw .refusedFile(path: path) }
    }

    /// Returns the SHA-256 of the first bytes of a file.
    private static func hash(_ handle: FileHandle, length: Int64) throws -> SHA256 {
        var hash = SHA256()
        var rest = length
        try handle.seek(toOffset: 0)
        while rest > 0, let chunk = try handle.read(upToCount: Int(min(rest, 1 << 16))), !chunk.isEmpty {
            hash.update(data: chunk)
            rest -= Int64(chunk.count)
        }
        return hash
    }

    /// Returns the import file's line numbers that the refused-lines file records in its first `length` bytes.
    static func lines(in path: String, length: Int64) -> Set<Int64> {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: Int(clamping: length)) else {
            return []
        }
        return Set(
            data.split(separator: UInt8(ascii: "\n")).compactMap { line in
                guard case .number(let text)? = JSONReader.read(Array(line))?["line"] else { return nil }
                return Int64(text)
            })
    }

    /// Appends a refused line to the file.
    ///
    /// - Parameters:
    ///   - refusal: The reason for the refusal.
    ///   - content: The values of the record, or the beginning of a record that can't be read.
    func add(_ refusal: ImportRefusal, _ content: [JSONValue.Member]) throws(PurchaseImportError) {
        var bytes: [UInt8] = []
        JSONValue.object(
            [
                JSONValue.Member("line", .number(refusal.line)), JSONValue.Member("code", .string(refusal.code)),
                JSONValue.Member("reason", .string(refusal.reason)),
            ] + content
        ).write(to: &bytes)
        pending.append(contentsOf: bytes + [UInt8(ascii: "\n")])
        if pending.count > 1 << 20 { try write() }
    }

    /// Writes all lines, and returns after the disk has stored the lines.
    func synchronize() throws(PurchaseImportError) {
        try write()
        do { try handle.synchronize() } catch { throw .refusedFile(path: path) }
    }

    private func write() throws(PurchaseImportError) {
        guard !pending.isEmpty else { return }
        do { try handle.write(contentsOf: pending) } catch { throw .refusedFile(path: path) }
        hash.update(data: pending)
        length += Int64(pending.count)
        pending = Data()
    }
}
