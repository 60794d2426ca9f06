import Foundation

/// The current state of a product's file in the content folder.
struct ContentFile: Hashable, Sendable {
    /// The path of the file.
    let path: String
    /// The length in bytes.
    let length: Int64
    /// The date of the last change.
    let modified: Date
    /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
    let sha256: String

    /// The strong entity tag; two files with the same tag have the same bytes.
    var entityTag: String { "\"\(sha256)\"" }
}
