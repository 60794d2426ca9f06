package import Foundation
package import PurchaseModel

extension ServerEndpoints {
    /// Verifies a receipt, and issues a download token for the content of one product.
    package static let contentTicket = Endpoint<ContentTicketRequest, ContentTicket>(.post, "/v1/content/{product}/tickets")
    /// Downloads the content, with support for ranges; the download token is the query parameter `ticket`.
    package static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
}

/// A request for a download token, with the receipt that proves the purchase of the product.
package struct ContentTicketRequest: Codable, Hashable, Sendable {
    /// The app receipt, as PKCS #7.
    package var receipt: Data

    /// Creates a request.
    package init(receipt: Data) {
        self.receipt = receipt
    }
}

/// A download token, which allows fetching one product's content for a limited time, in any number of ranges.
///
/// A download token names its purchase, so that a refund invalidates the token at once.
package struct ContentTicket: Codable, Hashable, Sendable {
    /// The download token, which the app sends as the query parameter `ticket`.
    package var ticket: String
    /// The name of the content's file.
    package var file: String
    /// The length of the content in bytes.
    package var length: Int64
    /// The SHA-256 of the content, in lower-case hexadecimal.
    package var sha256: String
    /// The date when the download token expires.
    package var expires: Timestamp
    /// The `verifyReceipt` hosts that the server called and their statuses, such as `production 0`, for the app's log.
    package var verification: [String]

    /// Creates a download token with the description of its content.
    package init(ticket: String, file: String, length: Int64, sha256: String, expires: Timestamp, verification: [String]) {
        self.ticket = ticket
        self.file = file
        self.length = length
        self.sha256 = sha256
        self.expires = expires
        self.verification = verification
    }
}
