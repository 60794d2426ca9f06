import Foundation
import PurchaseModel

#if canImport(Glibc)
    import Glibc
#endif

/// The file of the lines that an import refused: JSON Lines with the reasons, which can be imported after a correction.
final class RefusedLines {
    /// The length of the file.
    private(set) var length: Int64
    private let path: String
    private let handle: FileHandle
    private var pending = Data()

    /// Opens the file, which only this user can read, and discards what follows a length.
    ///
    /// - Throws: ``ImportError``.
    init(_ path: String, length: Int64) throws(ImportError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refusedFile(path: path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        (self.path, self.length) = (path, length)
        do {
            guard try Int64(handle.seekToEnd()) >= length else { throw ImportError.refusedFileLost(path: path) }
            try handle.truncate(atOffset: UInt64(max(0, length)))
        } catch let error as ImportError { throw error } catch { throw .refusedFile(path: path) }
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - content: The values of the record, or the beginning of a record that can't be read.
    func add(_ refusal: ImportRefusal, _ content: [JSONValue.Member]) throws(ImportError) {
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

    /// Returns after the disk has stored all lines.
    func synchronize() throws(ImportError) {
        try write()
        do { try handle.synchronize() } catch { throw .refusedFile(path: path) }
    }

    private func write() throws(ImportError) {
        guard !pending.isEmpty else { return }
        do { try handle.write(contentsOf: pending) } catch { throw .refusedFile(path: path) }
        length += Int64(pending.count)
        pending = Data()
    }
}
