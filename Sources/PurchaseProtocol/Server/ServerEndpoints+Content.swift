package import Foundation
package import PurchaseModel

extension ServerEndpoints {
    /// Verifies a receipt, and issues a download token for the content of one product.
    package static let contentTicket = Endpoint<ContentTicketRequest, ContentTicket>(.post, "/v1/content/{product}/tickets")
    /// Downloads the content, with support for ranges; the download token is the query parameter `ticket`.
    package static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
}

/// The receipt that proves the purchase of a product.
package struct ContentTicketRequest: Codable, Hashable, Sendable {
    /// The receipt file.
    package var receipt: Data

    /// Creates a request.
    package init(receipt: Data) {
        self.receipt = receipt
    }
}

/// A download token: the right to fetch one product's content for a limited time, in any number of ranges.
///
/// A download token names its purchase, so a refund invalidates the token at once.
package struct ContentTicket: Codable, Hashable, Sendable {
    /// The download token for content requests.
    package var ticket: String
    /// The file's name.
    package var file: String
    /// The file's length in bytes.
    package var length: Int64
    /// The file's SHA-256 in lower-case hexadecimal.
    package var sha256: String
    /// The date when the download token expires.
    package var expires: Timestamp
    /// The steps of the receipt's verification, for the app's log: each requested host and its status.
    package var verification: [String]

    /// Creates a ticket.
    package init(ticket: String, file: String, length: Int64, sha256: String, expires: Timestamp, verification: [String]) {
        self.ticket = ticket
        self.file = file
        self.length = length
        self.sha256 = sha256
        self.expires = expires
        self.verification = verification
    }
}
