import Foundation
import GRDB
import PurchaseModel

/// The description of a product's hosted content, as a row of the database without the content's bytes.
struct ContentRecord: Codable, Sendable, FetchableRecord {
    var bundleID: BundleID
    var productID: ProductID
    /// The SHA-256 of the content, in lowercase hexadecimal digits.
    var sha256: String
    /// The size of the content, in bytes.
    var length: Int64
    /// The content's version: integers separated by periods, such as `1.0`.
    var version: String

    /// The description of the content as the device API returns it.
    var description: HostedContent { HostedContent(version: version, length: length, sha256: sha256) }

    /// The strong entity tag (`ETag`) of the content, which identifies its bytes.
    var entityTag: String { "\"\(sha256)\"" }
}
