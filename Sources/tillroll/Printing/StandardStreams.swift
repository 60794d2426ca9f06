import Foundation

/// The process's three streams, made safe to write to.
enum StandardStreams {
    /// Keeps a reader that went away from ending the process, and a closed stream from becoming the next file that is opened.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
