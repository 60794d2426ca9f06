import Foundation

/// Where the command says what is not part of its answer.
enum StandardError {
    /// Writes a line; when nobody reads it, it is dropped.
    static func line(_ text: String) {
        write(text + "\n")
    }

    /// Writes text as it is, such as a bar that is drawn over.
    static func write(_ text: String) {
        guard FileDescriptor.standardError.isStream else { return }
        try? FileDescriptor.standardError.write(Array(text.utf8))
    }
}
