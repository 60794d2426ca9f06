public import Foundation

/// Writes files and folders of the sample app that only their owner can read.
public enum SampleFiles {
    /// Creates a folder and its missing parent folders; an existing folder keeps its permissions.
    ///
    /// - Parameter path: The path of the folder.
    public static func createFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes a file, or a folder with its contents, even if SQLite is removing files of a closing database at the same time.
    ///
    /// A failed removal is retried, because `FileManager` throws an error if another process or thread removes a file of the folder first.
    ///
    /// - Parameter path: The path of the file or folder, which can be missing.
    /// - Throws: The error of the last of 16 attempts.
    public static func remove(_ path: String) throws {
        for _ in 1..<16 {
            if (try? FileManager.default.removeItem(atPath: path)) != nil || !FileManager.default.fileExists(atPath: path) { return }
        }
        try FileManager.default.removeItem(atPath: path)
    }

    /// Replaces a file atomically, or creates the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - data: The new contents.
    ///   - isPublic: Whether all users of the machine may read the file, for example a certificate.
    /// - Throws: `CocoaError` if the file can't be created or replaced.
    public static func replace(_ path: String, with data: Data, isPublic: Bool = false) throws {
        let new = "\(path).\(UUID().uuidString).new"
        // Create the file with its permissions, because Foundation creates files that other users can read at first.
        let descriptor = open(new, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, isPublic ? 0o644 : 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path]) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        } catch {
            try? FileManager.default.removeItem(atPath: new)
            throw error
        }
    }
}
