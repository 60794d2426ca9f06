import Foundation
import GRDB
import PurchaseModel

/// The description of a product's hosted content, without the bytes.
struct ContentRecord: Codable, Sendable, FetchableRecord {
    var bundleID: BundleID
    var productID: ProductID
    /// The SHA-256 of the content, in lower-case hexadecimal.
    var sha256: String
    var length: Int64
    /// The content's version: dotted integers, such as `1.0`.
    var version: String

    /// The content in the device API's format.
    var description: HostedContent { HostedContent(version: version, length: length, sha256: sha256) }

    /// The strong entity tag: content with the same tag has the same bytes.
    var entityTag: String { "\"\(sha256)\"" }
}
