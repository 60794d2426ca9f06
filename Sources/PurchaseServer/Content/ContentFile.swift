import Foundation

/// A product's file as it lies in the content folder now.
struct ContentFile: Hashable, Sendable {
    /// Where it lies.
    let path: String
    /// Its length in bytes.
    let length: Int64
    /// When it was last changed.
    let modified: Date
    /// The SHA-256 of its bytes in lower-case hexadecimal.
    let sha256: String

    /// The strong entity tag: two files with the same tag have the same bytes.
    var entityTag: String { "\"\(sha256)\"" }
}
