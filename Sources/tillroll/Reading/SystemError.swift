import Foundation

/// What the system answered instead of doing what it was asked for.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The number, such as `ENOSPC`.
    let number: Int32

    /// The system's words for it, as the middle of a sentence: `no space left on device`.
    var description: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
