public import Foundation
import PrivateFiles

/// A unique temporary folder, which is removed with its contents when the object is deallocated.
public final class TemporaryFolder: Sendable {
    /// The URL of the folder.
    public let url: URL

    /// Creates a folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tillroll-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? PrivateFiles.removeFolder(url.path(percentEncoded: false))
    }

    /// The URL of a file in the folder.
    public func file(_ name: String) -> URL {
        url.appending(path: name, directoryHint: .notDirectory)
    }

    /// Creates a folder, calls `body` with it, and removes it afterward.
    public static func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let result = try await body(folder)
        withExtendedLifetime(folder) {}
        return result
    }
}
