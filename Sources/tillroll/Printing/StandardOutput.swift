import ArgumentParser
import Foundation

/// Standard output, for a command's output.
///
/// It is unbuffered, so that a pipe shows progress, too.
enum StandardOutput {
    /// Writes a line; if the reader has closed the pipe, as in `tillroll tour | head`, the line is dropped without an error.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Writes lines whose loss is an error.
    ///
    /// A reader that closed the pipe, as `head` does, is not an error: the exit code still states the result.
    ///
    /// - Throws: `ExitCode.outputError` after a message on standard error, if the device is full or a similar error occurs.
    static func lines(_ lines: [String]) throws(ExitCode) {
        try bytes(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes whose loss is an error, like ``lines(_:)``.
    static func bytes(_ bytes: [UInt8]) throws(ExitCode) {
        guard FileDescriptor.standardOutput.isStream else { return }
        do { try FileDescriptor.standardOutput.write(bytes) } catch {
            guard error.number != EPIPE else { return }
            StandardError.line("Error: The output can't be written: \(error). Free some space or redirect the output, and try again.")
            throw .outputError
        }
    }
}

/// Standard error, for messages that are not part of a command's output.
enum StandardError {
    /// Writes a line; a line without a reader is dropped.
    static func line(_ text: String) {
        write(text + "\n")
    }

    /// Writes text without a line break, such as a progress bar that the next one overwrites.
    static func write(_ text: String) {
        guard FileDescriptor.standardError.isStream else { return }
        try? FileDescriptor.standardError.write(Array(text.utf8))
    }
}

/// The process's standard streams, prepared for writing.
enum StandardStreams {
    /// Ignores SIGPIPE, so that a closed pipe does not end the process and the exit code can state the result.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }
}
