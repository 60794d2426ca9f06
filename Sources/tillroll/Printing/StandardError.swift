import Foundation

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
