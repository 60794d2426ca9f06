import ArgumentParser
import Foundation

/// Where things that were made go: a file, or standard output.
struct MadeOutput: Sendable {
    /// The file; nil or `-` for standard output.
    let path: String?

    /// Writes what `body` hands over, in large pieces.
    ///
    /// - Throws: A usage error when the file can't be opened, exit code 74 when it can't be written, and what `body` throws.
    func write(_ body: ((_ bytes: [UInt8]) throws -> Void) throws -> Void) throws {
        guard let path, path != "-" else {
            return try gathering(body) { bytes in try StandardOutput.bytes(bytes) }
        }
        let file: FileDescriptor
        do { file = try FileDescriptor.opening(path, O_WRONLY | O_CREAT | O_TRUNC) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
        defer { file.close() }
        try gathering(body) { bytes in
            do { try file.write(bytes) } catch {
                StandardError.line("Error: \(path) can't be written: \(error). Free some space or choose another --output.")
                throw StandardOutput.failure
            }
        }
    }

    private func gathering(_ body: ((_ bytes: [UInt8]) throws -> Void) throws -> Void, into sink: ([UInt8]) throws -> Void) throws {
        var gathered: [UInt8] = []
        try body { bytes in
            gathered.append(contentsOf: bytes)
            guard gathered.count >= 1 << 18 else { return }
            try sink(gathered)
            gathered.removeAll(keepingCapacity: true)
        }
        try sink(gathered)
    }
}
