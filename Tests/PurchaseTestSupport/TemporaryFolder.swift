public import Foundation

/// A folder of its own for a test, removed with everything in it when nobody holds it any more.
public final class TemporaryFolder: Sendable {
    /// Where it lies.
    public let url: URL

    /// Makes a folder that no other test has.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tillroll-test-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Where a file of that name lies in the folder.
    public func file(_ name: String) -> URL {
        url.appending(path: name, directoryHint: .notDirectory)
    }

    /// Gives a folder to `body` and removes it afterwards.
    public static func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let result = try await body(folder)
        withExtendedLifetime(folder) {}
        return result
    }
}
