public import Foundation

/// The result of a check that a script in `Tests/Clients` makes, such as with Chromium.
public struct ClientCheck: Decodable, Sendable {
    /// The name of the check.
    public let check: String
    /// Whether the promise is kept.
    public let ok: Bool
    /// The duration, or why the check failed.
    public let detail: String

    /// Runs a script of `Tests/Clients` in the virtual environment of the clients, and returns the results of its checks.
    public static func run(_ script: String, environment: [String: String]) async throws -> [ClientCheck] {
        let process = Process()
        process.executableURL = clients.appending(path: "../../scripts/peers").standardizedFileURL
        process.arguments = [clients.appending(path: script).path]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }.merging(["PYTHONDONTWRITEBYTECODE": "1"]) {
            $1
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        let lines = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
        return try lines.split(separator: "\n").map { try JSONDecoder().decode(ClientCheck.self, from: Data($0.utf8)) }
    }

    /// The folder of the Python clients; the folder of the tests may be a symbolic link in another package.
    public static let clients = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../Clients").standardizedFileURL
}
