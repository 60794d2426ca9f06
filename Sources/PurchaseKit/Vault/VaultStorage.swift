package import Foundation
import PrivateFiles

#if canImport(Glibc)
    import Glibc
#endif

/// The file of a vault's log; each method that writes returns when its bytes are on the disk.
package protocol VaultStorage: Sendable {
    /// Returns the contents of the file; nil if there is no file.
    func read() throws -> Data?
    /// Returns whether the file exists.
    func exists() -> Bool
    /// Creates the file.
    ///
    /// - Throws: ``VaultFileConflict`` if there is a file, which is then unchanged.
    func create(_ contents: Data) throws
    /// Replaces the file; a crash leaves the old or the new contents.
    ///
    /// - Parameter length: The length in bytes that the existing file must have; nil if the file may have any length or be missing.
    /// - Throws: ``VaultFileConflict``, without a change of the file, if the file is missing or has another length than `length`.
    func replace(with contents: Data, of length: Int?) throws
    /// Writes bytes at an offset; a crash can leave a part of the bytes.
    ///
    /// - Throws: ``VaultFileConflict`` if the offset is not the end of the file, which is then unchanged.
    func append(_ bytes: Data, at offset: Int) throws
    /// Removes the bytes from an offset of a file whose length in bytes must be `length`.
    ///
    /// - Throws: ``VaultFileConflict``, without a change of the file, if the file has another length.
    func truncate(at offset: Int, of length: Int) throws
}

/// The error that another app session has changed the vault's file after this session read it.
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

    /// Creates the file in one step.
    package func create(_ contents: Data) throws {
        guard try DurableFile.create(path, with: contents) else { throw VaultFileConflict() }
    }

    /// Replaces the file in one step.
    package func replace(with contents: Data, of length: Int?) throws {
        guard exists() else {
            guard length == nil else { throw VaultFileConflict() }
            return try DurableFile.replace(path, with: contents)
        }
        // Lock the file, so that no other session appends to the file while it is replaced.
        try withHandle { handle in
            let known = try handle.seekToEnd()
            guard length.map({ UInt64(clamping: $0) == known }) ?? true else { throw VaultFileConflict() }
            try DurableFile.replace(path, with: contents)
        }
    }

    /// Writes bytes at the end of the file, and synchronizes the file; after an error, the method tries to restore the file's length.
    package func append(_ bytes: Data, at offset: Int) throws {
        try withHandle { handle in
            guard try handle.seekToEnd() == UInt64(offset) else { throw VaultFileConflict() }
            do {
                try handle.write(contentsOf: bytes)
                try handle.synchronize()
            } catch {
                try? handle.truncate(atOffset: UInt64(offset))
                throw error
            }
        }
    }

    /// Removes the bytes from an offset, and synchronizes the file.
    package func truncate(at offset: Int, of length: Int) throws {
        try withHandle { handle in
            guard try handle.seekToEnd() == UInt64(length) else { throw VaultFileConflict() }
            try handle.truncate(atOffset: UInt64(offset))
            try handle.synchronize()
        }
    }

    /// Opens and locks the file, so that no other session writes until the closure returns.
    private func withHandle(_ body: (FileHandle) throws -> Void) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? handle.close() }
        guard flock(handle.fileDescriptor, LOCK_EX) == 0 else { throw CocoaError(.fileLocking) }
        // Fail if another session has replaced the file during the wait for the lock.
        var opened = stat()
        guard unsafe fstat(handle.fileDescriptor, &opened) == 0, opened.st_ino == (try number()) else { throw VaultFileConflict() }
        try body(handle)
    }

    /// The inode number of the file at the path.
    private func number() throws -> UInt64 {
        guard let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber else {
            throw CocoaError(.fileReadUnknown)
        }
        return number.uint64Value
    }
}
