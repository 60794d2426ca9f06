import Foundation

/// Runs the programs of `Tests/Clients`, with the libraries that `scripts/peers` installs.
package enum PythonProgram {
    /// The error of a program that ended with another exit code than 0.
    package struct Failed: Error {
        package let status: Int32
        package let output: String
    }

    /// Runs a program, and returns the lines of its output.
    ///
    /// - Parameters:
    ///   - file: The name of the file in `Tests/Clients`.
    ///   - description: The value of the variable `STORE`, which the program reads as JSON.
    package static func run(_ file: String, describing description: some Encodable) async throws -> [String] {
        // The folder of the tests may be a symbolic link in another package.
        let clients = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../Clients").standardizedFileURL
        let process = Process()
        process.executableURL = clients.appending(path: "../../scripts/peers").standardizedFileURL
        process.arguments = [clients.appending(path: file).path]
        let variables = ["STORE": String(decoding: try JSONEncoder().encode(description), as: UTF8.self), "PYTHONDONTWRITEBYTECODE": "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try process.run()
        async let problem = bytes(of: errors.fileHandleForReading)
        let text = String(decoding: try await bytes(of: output.fileHandleForReading), as: UTF8.self)
        let status = await ended.stream.first { _ in true } ?? -1
        guard status == 0 else { throw Failed(status: status, output: text + String(decoding: try await problem, as: UTF8.self)) }
        return text.split(separator: "\n").map { String($0) }
    }

    private static func bytes(of handle: FileHandle) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try handle.readToEnd() ?? Data() }) }
        }
    }
}

/// The result of one check of a Python program, as `Tests/Clients/client.py` prints it.
package struct PythonCheck: Decodable, Sendable {
    /// The name of the check.
    package let check: String
    /// Whether the check passed.
    package let ok: Bool
    /// The failure; nil if the check passed.
    package let detail: String?

    /// Runs the checks of a program.
    package static func run(_ file: String, describing description: some Encodable) async throws -> [PythonCheck] {
        try await PythonProgram.run(file, describing: description).map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}
