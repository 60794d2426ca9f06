import Crypto
import Foundation
import PurchaseModel

/// Makes tickets and checks them, without keeping a list of them.
///
/// A ticket is `BASE64URL(claims) "." BASE64URL(HMAC-SHA256(claims))`. Every server on one database has the same key.
struct TicketOffice: Sendable {
    /// How long a ticket is good for: long enough for a big file, because only the start of each request is checked.
    static let lifetimeSeconds: Int64 = 15 * 60
    /// Longer texts are no tickets of ours, and are not looked at.
    private static let longest = 2048

    private let key: SymmetricKey

    /// Uses a key of 32 random bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Makes a ticket.
    func issue(_ claims: TicketClaims) throws -> String {
        let body = try WireJSON.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return "\(Self.base64URL(body)).\(Self.base64URL(Data(code)))"
    }

    /// What a ticket says, when this office made it for that product and its time is not over.
    func open(_ ticket: String, for product: ProductID, at now: Timestamp) throws(ContentRefusal) -> TicketClaims {
        let parts = ticket.split(separator: ".", omittingEmptySubsequences: false)
        guard ticket.utf8.count <= Self.longest, parts.count == 2,
            let body = Self.data(base64URL: parts[0]), let code = Self.data(base64URL: parts[1]),
            // Compares in constant time.
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let claims = try? WireJSON.decode(TicketClaims.self, from: body), claims.product == product
        else { throw .ticketRefused }
        guard now < claims.expires else { throw .ticketExpired }
        return claims
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(base64URL text: Substring) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
