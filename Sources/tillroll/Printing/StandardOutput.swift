import ArgumentParser
import Foundation

/// Writes a command's output to standard output.
///
/// The output is not buffered, so that a process that reads the output from a pipe receives each line immediately.
enum StandardOutput {
    /// Writes a line; if the reader has closed the pipe, as in `tillroll store events | head`, the line is dropped without an error.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Writes lines, and reports an error if they can't be written.
    ///
    /// A pipe that its reader closed, as `head` does, is not an error, so that the exit code still states the command's result.
    ///
    /// - Throws: `ExitCode.outputError`, after a message on standard error, if a write fails, such as on a full disk.
    static func lines(_ lines: [String]) throws(ExitCode) {
        try bytes(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes, with the same errors as ``lines(_:)``.
    static func bytes(_ bytes: [UInt8]) throws(ExitCode) {
        do { try FileDescriptor.standardOutput.write(bytes) } catch {
            guard error.number != EPIPE else { return }
            StandardError.line("Error: The output can't be written: \(error). Free some space or redirect the output, and try again.")
            throw .outputError
        }
    }
}

/// Writes messages that are not part of a command's output to standard error.
enum StandardError {
    /// Writes a line; an error of the write is ignored.
    static func line(_ text: String) {
        write(text + "\n")
    }

    /// Writes text without adding a line break, such as a progress bar; an error of the write is ignored.
    static func write(_ text: String) {
        try? FileDescriptor.standardError.write(Array(text.utf8))
    }
}

/// Prepares the process's standard streams.
enum StandardStreams {
    /// Ignores SIGPIPE, so that a write to a closed pipe does not end the process before its exit code states the result.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Opens the null device in place of each standard stream that the parent process closed.
    ///
    /// Without the null device, the next file that the process opens, such as a command's input, would have the descriptor of standard
    /// output. Call the method before the process has a second thread.
    static func openClosed() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // Ignore the result, because `open` returns the lowest free descriptor, which is `number`.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
