import Foundation

/// An error that occurred when creating a file or folder, or changing its permissions.
package struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file or folder.
    package let path: String
    /// The value of `errno`, such as `EACCES`.
    package let errorNumber: Int32

    /// The path and the operating system's message, such as `shop/store.sqlite: Permission denied`.
    package var description: String { unsafe "\(path): \(String(cString: strerror(errorNumber)))" }
}
