import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// Issues and verifies download tokens, without storing them.
///
/// A download token is `BASE64URL(claims) "." BASE64URL(HMAC-SHA256(claims))`. All servers with the same database share the key.
struct TicketOffice: Sendable {
    /// The lifetime of a download token in seconds; it is sufficient for a large file, because only the start of each request is
    /// checked.
    static let lifetimeSeconds: Int64 = 15 * 60
    /// The maximum length of a download token in bytes; longer texts are refused.
    private static let longest = 2048

    private let key: SymmetricKey

    /// Creates a new key of 32 random bytes.
    static func newKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
    }

    /// Creates an office with a key of 32 random bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Issues a download token.
    func issue(_ claims: TicketClaims) throws -> String {
        let body = try WireJSON.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return "\(Base64URL.encode(body)).\(Base64URL.encode(Data(code)))"
    }

    /// Verifies a download token for a product, and returns its claims.
    func open(_ ticket: String, for product: ProductID, at now: Timestamp) throws(ContentRefusal) -> TicketClaims {
        let parts = ticket.split(separator: ".", omittingEmptySubsequences: false)
        guard ticket.utf8.count <= Self.longest, parts.count == 2,
            let body = Base64URL.decode(parts[0].utf8).map({ Data($0) }), let code = Base64URL.decode(parts[1].utf8),
            // The comparison takes constant time.
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let claims = try? WireJSON.decode(TicketClaims.self, from: body), claims.product == product
        else { throw .ticketRefused }
        guard now < claims.expires else { throw .ticketExpired }
        return claims
    }
}
