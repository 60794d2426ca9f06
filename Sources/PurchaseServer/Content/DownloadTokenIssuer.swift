import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// Issues and verifies download tokens, without storing them.
///
/// A download token is `"dt_" BASE64URL(claims) "." BASE64URL(HMAC-SHA256(claims))`. The key is in the database, so that all servers with
/// the same database accept the same tokens.
struct DownloadTokenIssuer: Sendable {
    /// The lifetime of a download token in seconds.
    ///
    /// The token is verified only when a request begins, so a download can take longer.
    static let lifetimeSeconds: Int64 = 15 * 60
    /// The name of the HMAC key among the server's secrets.
    static let secretName = "download-token-key"
    /// The first characters of a download token.
    static let prefix = "dt_"
    /// The maximum length of a download token in bytes; a longer token is refused.
    private static let longest = 2048

    private let key: SymmetricKey

    /// Returns a new HMAC key of 32 random bytes.
    static func newKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
    }

    /// Creates an issuer and verifier of download tokens with an HMAC key of 32 bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Returns a download token with the given claims.
    func issue(_ claims: DownloadClaims) throws -> String {
        let body = try WireJSON.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return "\(Self.prefix)\(Base64URL.encode(body)).\(Base64URL.encode(Data(code)))"
    }

    /// Verifies a download token for a product of an app, and returns its claims.
    ///
    /// - Throws: ``ContentRefusal/tokenRefused`` for an invalid token or a token of another product,
    ///   ``ContentRefusal/tokenExpired`` for an expired token.
    func verify(_ token: String, for product: ProductID, at now: Timestamp) throws(ContentRefusal) -> DownloadClaims {
        guard token.utf8.count <= Self.longest, token.hasPrefix(Self.prefix) else { throw .tokenRefused }
        let parts = token.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let body = Base64URL.decode(parts[0].utf8).map({ Data($0) }), let code = Base64URL.decode(parts[1].utf8),
            // The comparison takes constant time.
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let claims = try? WireJSON.decode(DownloadClaims.self, from: body), claims.product == product
        else { throw .tokenRefused }
        guard now < claims.expires else { throw .tokenExpired }
        return claims
    }
}

/// The claims of a download token.
struct DownloadClaims: Codable, Hashable, Sendable {
    /// The product whose content the token gives access to.
    var product: ProductID
    /// The customer to whom the token was issued.
    var customer: CustomerID
    /// The `originalTransactionId` of the purchase for which the token was issued; a refund of the purchase invalidates the token.
    var purchase: TransactionID
    /// The expiration date of the token.
    var expires: Timestamp
}
