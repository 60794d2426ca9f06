import Foundation

/// A product's file in the content folder, with its current length, date and digest.
struct ContentFile: Hashable, Sendable {
    /// The path of the file.
    let path: String
    /// The length of the file in bytes.
    let length: Int64
    /// The date of the file's last change.
    let modified: Date
    /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
    let sha256: String

    /// The strong entity tag of the file (RFC 9110): the SHA-256 in quotation marks.
    var entityTag: String { "\"\(sha256)\"" }
}
