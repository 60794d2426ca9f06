package import Foundation
import PrivateFiles

#if canImport(Glibc)
    import Glibc
#endif

/// The file of a vault's log; what a method has written is on the disk when it returns.
package protocol VaultStorage: Sendable {
    /// Returns the contents of the file; nil if there is no file.
    func read() throws -> Data?
    /// Returns whether the file exists.
    func exists() -> Bool
    /// Replaces the file, or creates it; a crash leaves the old contents or the new ones.
    func replace(with contents: Data) throws
    /// Writes bytes at an offset; a crash can leave a part of them.
    ///
    /// - Throws: ``VaultFileConflict`` if the offset is not the end of the file, which is then unchanged.
    func append(_ bytes: Data, at offset: Int) throws
    /// Removes the bytes from an offset.
    func truncate(at offset: Int) throws
}

/// The error that another app session has written to the vault's file, so that this session's knowledge of it is out of date.
package struct VaultFileConflict: Error {
    /// Creates the error.
    package init() {}
}

/// A file of the file system that only its owner can read.
package struct VaultFile: VaultStorage {
    let path: String

    /// Creates the storage of a file; the file is not opened.
    package init(path: String) {
        self.path = path
    }

    /// Returns the contents of the file; nil if there is no file.
    package func read() throws -> Data? {
        guard exists() else { return nil }
        return try Data(contentsOf: URL(filePath: path))
    }

    /// Returns whether the file exists.
    package func exists() -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Replaces the file in one step.
    package func replace(with contents: Data) throws {
        try DurableFile.replace(path, with: contents)
    }

    /// Writes bytes at the end of the file, and synchronizes it.
    package func append(_ bytes: Data, at offset: Int) throws {
        try withHandle { handle in
            // Two sessions that append at the same time wait for each other.
            guard flock(handle.fileDescriptor, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
            guard try handle.seekToEnd() == UInt64(offset) else { throw VaultFileConflict() }
            try handle.write(contentsOf: bytes)
        }
    }

    /// Removes the bytes from an offset, and synchronizes the file.
    package func truncate(at offset: Int) throws {
        try withHandle { try $0.truncate(atOffset: UInt64(offset)) }
    }

    private func withHandle(_ body: (FileHandle) throws -> Void) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }
        try body(handle)
        try handle.synchronize()
    }
}
