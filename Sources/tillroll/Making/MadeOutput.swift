import ArgumentParser
import Foundation

/// The output of issued data, written in large blocks to a file or to standard output.
struct MadeOutput {
    private let path: String?
    private let file: FileDescriptor
    private var gathered: [UInt8] = []

    /// Creates or truncates a file; nil and `-` mean standard output.
    ///
    /// - Throws: A usage error if the file can't be opened.
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

    /// Adds bytes to the output.
    ///
    /// - Throws: Exit code 74 if the bytes can't be written.
    mutating func write(_ bytes: [UInt8]) throws(ExitCode) {
        gathered.append(contentsOf: bytes)
        if gathered.count >= 1 << 18 { try flush() }
    }

    /// Writes the remaining bytes and closes the file.
    ///
    /// - Throws: Exit code 74 if the bytes can't be written.
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
