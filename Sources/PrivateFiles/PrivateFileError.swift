import Foundation

/// An error of creating a file or folder, or of changing its permissions.
package struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The value of `errno`, such as `EACCES`.
    package let errorNumber: Int32

    /// The path and the system's message: `shop/store.sqlite: Permission denied`.
    package var description: String { unsafe "\(path): \(String(cString: strerror(errorNumber)))" }
}
