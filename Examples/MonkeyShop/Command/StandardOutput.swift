import Foundation

/// Writes a command's output to standard output.
///
/// The output is not buffered, so that a process at the other end of a pipe receives each line immediately.
enum StandardOutput {
    /// Writes a line; if the reader has closed the pipe, as in `monkeyshop tour | head`, the line is dropped without an error.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}

/// Writes messages that are not part of a command's output to standard error.
enum StandardError {
    /// Writes a line; an error of the write is ignored.
    static func line(_ text: String) {
        write(text + "\n")
    }

    /// Writes text without adding a line break; an error of the write is ignored.
    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// Prepares the process's standard streams.
enum StandardStreams {
    /// Opens the null device in place of each standard stream that the parent process closed.
    ///
    /// Without this function, a file that the process opens could get the descriptor of a closed stream. Call the function before the
    /// process has a second thread.
    static func openClosed() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // Ignore the result, because `open` returns the lowest free descriptor, which is `number`.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
