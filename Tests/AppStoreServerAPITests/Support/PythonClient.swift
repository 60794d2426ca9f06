import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// Runs a program with Apple's library for Python.
enum PythonClient {
    struct Failed: Error {
        var status: Int32
        var output: String
    }

    /// Runs a program of `Tests/Clients` with the key of ``TestClient``, and returns the lines of its output.
    static func run(_ file: String, at url: HTTPURL) async throws -> [String] {
        let description = [
            "url": url.text, "apiKey": TestClient.key.pem, "keyID": TestClient.key.id, "issuerID": TestClient.issuer,
            "bundleID": BundleID.test.rawValue,
        ]
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = tests.appending(path: "../scripts/peers").standardizedFileURL
        process.arguments = [tests.appending(path: "Clients/\(file)").path]
        let variables = ["STORE": String(decoding: try JSONEncoder().encode(description), as: UTF8.self), "PYTHONDONTWRITEBYTECODE": "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try process.run()
        let handle = output.fileHandleForReading
        let data = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try handle.readToEnd() ?? Data() }) }
        }
        let text = String(decoding: data, as: UTF8.self)
        let status = await ended.stream.first { _ in true } ?? -1
        guard status == 0 else { throw Failed(status: status, output: text) }
        return text.split(separator: "\n").map { String($0) }
    }
}
