import Foundation

/// Reads the free space of the file system that contains a folder.
public struct FreeSpace: Sendable {
    private let bytes: @Sendable (_ folder: String) -> Int64?

    /// Creates a source of the free space.
    ///
    /// - Parameter bytes: Returns the bytes that the app can write to a folder; nil if the number is unknown.
    public init(_ bytes: @escaping @Sendable (_ folder: String) -> Int64?) {
        self.bytes = bytes
    }

    /// The free space according to the file system; on Apple's platforms, including space that the system can free for a download.
    public static let fileSystem = FreeSpace { folder in
        #if canImport(Darwin)
            let values = try? URL(filePath: folder).resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
            if let bytes = values?.volumeAvailableCapacityForImportantUsage { return bytes }
        #endif
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }

    /// Checks that a folder has space for a number of bytes.
    ///
    /// - Throws: ``ContentError/insufficientSpace(required:available:)``.
    func check(for required: Int64, in folder: String) throws(ContentError) {
        guard let available = bytes(folder), available < required else { return }
        throw .insufficientSpace(required: required, available: available)
    }
}
