import Foundation
import GRDB
import PurchaseModel

/// What the store keeps of a product's content, without the bytes.
struct ContentRecord: Codable, Sendable, FetchableRecord {
    var bundleID: BundleID
    var productID: ProductID
    /// Of the bytes, in lower-case hexadecimal.
    var sha256: String
    var length: Int64
    /// Dotted integers, such as `1.0`.
    var version: String

    /// The content as devices are told of it.
    var description: HostedContent { HostedContent(version: version, length: length, sha256: sha256) }

    /// The strong entity tag: two contents with the same tag have the same bytes.
    var entityTag: String { "\"\(sha256)\"" }
}
