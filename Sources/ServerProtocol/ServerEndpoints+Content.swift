package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Lists the content items of a product, with their versions, for a customer with access to the product.
    package static let contentItems = Endpoint<Empty, ContentItemsReply>(.get, "/v1/content/{product}/items")
    /// Issues a download token for a product's content to a customer with access to the product.
    package static let downloadToken = Endpoint<Empty, DownloadToken>(.post, "/v1/content/{product}/download-tokens")
    /// Downloads an item of the content, with support for ranges; the download token is the bearer token of the `Authorization` header.
    ///
    /// The query parameters `item` and `version` select the file; the defaults are the first item and its current version.
    package static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
    /// Downloads the manifest of an item, with the token and the query parameters of ``content``.
    package static let contentManifest = Endpoint<Empty, Empty>(.get, "/v1/content/{product}/manifest")
}

/// The content items of a product.
package struct ContentItemsReply: Codable, Hashable, Sendable {
    package var product: ProductID
    /// The items: `main` first, and then the others in the order of their names.
    package var items: [ContentItemReply]

    package init(product: ProductID, items: [ContentItemReply]) {
        self.product = product
        self.items = items
    }
}

/// An item of a product's content: one file, in one or more versions.
package struct ContentItemReply: Codable, Hashable, Sendable {
    /// The name of the item, unique within the product.
    package var item: ContentItemName
    /// The versions that can be downloaded, the current version first.
    package var versions: [ContentVersionReply]

    package init(item: ContentItemName, versions: [ContentVersionReply]) {
        self.item = item
        self.versions = versions
    }
}

/// A published version of a content item, or a file of the catalog.
package struct ContentVersionReply: Codable, Hashable, Sendable {
    /// The name of the version, unique within the item.
    package var version: ContentVersionName
    /// The name under which an app saves the file.
    package var fileName: String
    /// The media type of the file, such as `application/pdf`.
    package var mediaType: String
    /// The length of the file in bytes.
    package var length: Int64
    /// The SHA-256 of the file, in lower-case hexadecimal.
    package var sha256: String
    /// The SHA-256 of the manifest's JSON, in lower-case hexadecimal.
    package var manifest: String
    /// The date when the version was published.
    package var publishedAt: Timestamp

    package init(
        version: ContentVersionName, fileName: String, mediaType: String, length: Int64, sha256: String, manifest: String,
        publishedAt: Timestamp
    ) {
        self.version = version
        self.fileName = fileName
        self.mediaType = mediaType
        self.length = length
        self.sha256 = sha256
        self.manifest = manifest
        self.publishedAt = publishedAt
    }
}

/// A token for downloads of one product's content, valid for a limited time.
///
/// A download token identifies its customer and its purchase, so a refund invalidates the token at once.
package struct DownloadToken: Codable, Hashable, Sendable {
    /// The token, which the app sends as a bearer token.
    package var token: String
    /// The file name of the first item's current version.
    package var file: String
    /// The length of the first item's current version in bytes.
    package var length: Int64
    /// The SHA-256 of the first item's current version, in lower-case hexadecimal.
    package var sha256: String
    /// The items of the product's content.
    package var items: [ContentItemReply]
    /// The date when the download token expires.
    package var expires: Timestamp

    package init(token: String, file: String, length: Int64, sha256: String, items: [ContentItemReply] = [], expires: Timestamp) {
        self.token = token
        self.file = file
        self.length = length
        self.sha256 = sha256
        self.items = items
        self.expires = expires
    }
}
