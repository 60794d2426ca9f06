import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// Makes tickets and checks them, without keeping a list of them.
///
/// A ticket is `BASE64URL(claims) "." BASE64URL(HMAC-SHA256(claims))`. Every server on one database has the same key.
struct TicketOffice: Sendable {
    /// How long a ticket is good for: long enough for a big file, because only the start of each request is checked.
    static let lifetimeSeconds: Int64 = 15 * 60
    /// Longer texts are no tickets of ours, and are not looked at.
    private static let longest = 2048

    private let key: SymmetricKey

    /// A new key: 32 random bytes.
    static func newKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
    }

    /// Uses a key of 32 random bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Makes a ticket.
    func issue(_ claims: TicketClaims) throws -> String {
        let body = try WireJSON.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return "\(Base64URL.encode(body)).\(Base64URL.encode(Data(code)))"
    }

    /// What a ticket says, when this office made it for that product and its time is not over.
    func open(_ ticket: String, for product: ProductID, at now: Timestamp) throws(ContentRefusal) -> TicketClaims {
        let parts = ticket.split(separator: ".", omittingEmptySubsequences: false)
        guard ticket.utf8.count <= Self.longest, parts.count == 2,
            let body = Base64URL.decode(parts[0].utf8).map({ Data($0) }), let code = Base64URL.decode(parts[1].utf8),
            // Compares in constant time.
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let claims = try? WireJSON.decode(TicketClaims.self, from: body), claims.product == product
        else { throw .ticketRefused }
        guard now < claims.expires else { throw .ticketExpired }
        return claims
    }
}
