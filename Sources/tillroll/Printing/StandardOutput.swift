import ArgumentParser
import Foundation

/// Standard output, for a command's output.
///
/// It is unbuffered, so that a pipe shows progress, too.
enum StandardOutput {
    /// The exit code if output can't be written (`EX_IOERR` of sysexits.h); distinct from the exit codes for results of a verification.
    static let failure = ExitCode(74)

    /// Writes a line; if the reader has closed the pipe, as in `tillroll tour | head`, the line is dropped without an error.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Writes lines whose loss is an error.
    ///
    /// A reader that closed the pipe, as `head` does, is no error: the exit code still states the result.
    ///
    /// - Throws: ``failure`` after a message on standard error, if the device is full or a similar error occurs.
    static func lines(_ lines: [String]) throws(ExitCode) {
        try bytes(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes whose loss is an error, like ``lines(_:)``.
    static func bytes(_ bytes: [UInt8]) throws(ExitCode) {
        guard FileDescriptor.standardOutput.isStream else { return }
        do { try FileDescriptor.standardOutput.write(bytes) } catch {
            guard error.number != EPIPE else { return }
            StandardError.line("Error: The answer can't be written: \(error). Free some space or choose another place, and try again.")
            throw failure
        }
    }
}
