import Foundation

/// The process's streams, made safe to write to.
enum StandardStreams {
    /// Keeps a reader that went away from ending the process: the exit code must tell the result.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }
}
