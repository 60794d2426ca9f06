import Foundation

/// An error that a system call returned.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`, such as `ENOSPC`.
    let number: Int32

    /// The system's message in lowercase, for use within a sentence: `no space left on device`.
    var description: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
