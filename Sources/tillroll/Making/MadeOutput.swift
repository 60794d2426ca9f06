import ArgumentParser
import Foundation

/// Where things that were made go, in large pieces: a file, or standard output.
struct MadeOutput {
    private let path: String?
    private let file: FileDescriptor
    private var gathered: [UInt8] = []

    /// Opens a file anew; nil and `-` are standard output.
    ///
    /// - Throws: A usage error when the file can't be opened.
    init(path: String?) throws {
        self.path = path == "-" ? nil : path
        guard let path = self.path else {
            file = .standardOutput
            return
        }
        do { file = try FileDescriptor.opening(path, O_WRONLY | O_CREAT | O_TRUNC) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
    }

    /// Takes what is to be written.
    ///
    /// - Throws: Exit code 74 when it can't be written.
    mutating func write(_ bytes: [UInt8]) throws(ExitCode) {
        gathered.append(contentsOf: bytes)
        if gathered.count >= 1 << 18 { try flush() }
    }

    /// Writes the rest and closes the file.
    ///
    /// - Throws: Exit code 74 when it can't be written.
    mutating func finish() throws(ExitCode) {
        try flush()
        if path != nil { file.close() }
    }

    private mutating func flush() throws(ExitCode) {
        defer { gathered.removeAll(keepingCapacity: true) }
        guard let path else { return try StandardOutput.bytes(gathered) }
        do { try file.write(gathered) } catch {
            StandardError.line("Error: \(path) can't be written: \(error). Free some space or choose another --output.")
            throw StandardOutput.failure
        }
    }
}
