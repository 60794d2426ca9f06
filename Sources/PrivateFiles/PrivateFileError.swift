import Foundation

/// Why a file or folder can't be made, or its rights can't be changed.
package struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The system's number for the cause, such as `EACCES`.
    package let number: Int32

    /// The path and the system's words: `shop/store.sqlite: Permission denied`.
    package var description: String { unsafe "\(path): \(String(cString: strerror(number)))" }
}
