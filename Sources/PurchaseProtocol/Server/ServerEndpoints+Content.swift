package import PurchaseModel

extension ServerEndpoints {
    /// Issues a download token for the content of a product that the customer may use.
    package static let downloadToken = Endpoint<Empty, DownloadToken>(.post, "/v1/content/{product}/download-tokens")
    /// Downloads the content, with support for ranges; the download token is the bearer token of the `Authorization` header.
    package static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
}

/// A download token, which allows fetching one product's content for a limited time, in any number of ranges.
///
/// A download token names its customer and its purchase, so that a refund invalidates the token at once.
package struct DownloadToken: Codable, Hashable, Sendable {
    /// The token, which the app sends as a bearer token.
    package var token: String
    /// The name of the content's file.
    package var file: String
    /// The length of the content in bytes.
    package var length: Int64
    /// The SHA-256 of the content, in lower-case hexadecimal.
    package var sha256: String
    /// The date when the download token expires.
    package var expires: Timestamp

    /// Creates a download token with the description of its content.
    package init(token: String, file: String, length: Int64, sha256: String, expires: Timestamp) {
        self.token = token
        self.file = file
        self.length = length
        self.sha256 = sha256
        self.expires = expires
    }
}
