package import Foundation
package import PurchaseModel

extension ServerEndpoints {
    /// Verifies a receipt and answers with a ticket for the content of one product.
    package static let contentTicket = Endpoint<ContentTicketRequest, ContentTicket>(.post, "/v1/content/{product}/tickets")
    /// The content itself, with ranges; the ticket is the query parameter `ticket`.
    package static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
}

/// The receipt that shows that a product was bought.
package struct ContentTicketRequest: Codable, Hashable, Sendable {
    /// The receipt file.
    package var receipt: Data

    /// Creates a request.
    package init(receipt: Data) {
        self.receipt = receipt
    }
}

/// The right to fetch one product's content for a while, in as many pieces as the network needs.
///
/// A ticket names the purchase it rests on, so a refund ends it at once.
package struct ContentTicket: Codable, Hashable, Sendable {
    /// What the content request carries.
    package var ticket: String
    /// The file's name.
    package var file: String
    /// The file's length in bytes.
    package var length: Int64
    /// The file's SHA-256 in lower-case hexadecimal.
    package var sha256: String
    /// When the ticket ends.
    package var expires: Timestamp
    /// How the receipt was verified, for the app's log: each host that was asked and its status.
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
