/// The right to fetch one product's content for a while, in as many pieces as the network needs.
///
/// A ticket names the purchase it rests on, so a refund ends it at once.
public struct ContentTicket: Codable, Hashable, Sendable {
    /// What the content request carries.
    public var ticket: String
    /// The file's name.
    public var file: String
    /// The file's length in bytes.
    public var length: Int64
    /// The file's SHA-256 in lower-case hexadecimal.
    public var sha256: String
    /// When the ticket ends.
    public var expires: Timestamp
    /// How the receipt was verified, for the app's log: each host that was asked and its status.
    public var verification: [String]

    /// Creates a ticket.
    public init(ticket: String, file: String, length: Int64, sha256: String, expires: Timestamp, verification: [String]) {
        self.ticket = ticket
        self.file = file
        self.length = length
        self.sha256 = sha256
        self.expires = expires
        self.verification = verification
    }
}
