import Foundation

/// The process's standard streams, prepared for writing.
enum StandardStreams {
    /// Ignores SIGPIPE, so that a closed pipe does not end the process and the exit code can state the result.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }
}
