import ArgumentParser
import Foundation

/// Where something that was made goes: a file, or standard output.
struct MadeOutput: Sendable {
    /// The file; nil for standard output.
    let path: String?

    /// Writes it.
    ///
    /// - Throws: A usage error when the file can't be opened, and exit code 74 when it can't be written.
    func write(_ bytes: [UInt8]) throws {
        guard let path, path != "-" else { return try StandardOutput.bytes(bytes) }
        let file: FileDescriptor
        do { file = try FileDescriptor.opening(path, O_WRONLY | O_CREAT | O_TRUNC) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
        defer { file.close() }
        do { try file.write(bytes) } catch {
            StandardError.line("Error: \(path) can't be written: \(error). Free some space or choose another --output.")
            throw StandardOutput.failure
        }
    }
}
