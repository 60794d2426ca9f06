import Crypto
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// Issues and verifies download tokens with one key, without storing the tokens.
///
/// A download is a GET request, because `Range` is defined for GET only (RFC 9110, section 14.2). A GET request has no body, and a header
/// is too small for a receipt, so the request contains a download token instead of a proof of the purchase.
///
/// A download token is `"dt_" KEY-ID "." BASE64URL(claims) "." BASE64URL(HMAC-SHA256(claims))`. The identifier of the key is the beginning
/// of the key's SHA-256.
struct DownloadTokenIssuer: Sendable {
    /// The lifetime of a download token in seconds.
    ///
    /// The server verifies a token only when a request begins, so a download can take longer than the lifetime.
    static let lifetimeSeconds: Int64 = 15 * 60
    /// The first characters of a download token.
    static let prefix = "dt_"
    /// The maximum length of a download token in bytes; a longer token is refused.
    private static let longest = 4096

    /// The identifier of the key: 16 hexadecimal digits.
    let keyID: String
    private let key: SymmetricKey

    /// Returns a new HMAC key of 32 random bytes.
    static func newKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
    }

    /// Creates an issuer and verifier of download tokens with an HMAC key of 32 bytes.
    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
        keyID = Hexadecimal.encode(SHA256.hash(data: key).prefix(8))
    }

    /// Returns the identifier of the key of a download token; nil for a text with an invalid format.
    static func keyID(of token: String) -> String? {
        guard let parts = parts(of: token), parts[0].utf8.count == 16, parts[0].utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
            return nil
        }
        return String(parts[0])
    }

    private static func parts(of token: String) -> [Substring]? {
        guard token.utf8.count <= longest, token.hasPrefix(prefix) else { return nil }
        let parts = token.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? parts : nil
    }

    /// Returns a download token with the given claims.
    func issue(_ claims: DownloadClaims) throws -> String {
        let body = try WireJSON.encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return "\(Self.prefix)\(keyID).\(Base64URL.encode(body)).\(Base64URL.encode(Data(code)))"
    }

    /// Verifies a download token for a product of an app, and returns its claims.
    ///
    /// - Throws: ``ContentRefusal/tokenRefused`` for an invalid token or a token of another product,
    ///   ``ContentRefusal/tokenExpired`` for an expired token.
    func verify(_ token: String, for product: ProductID, at now: Timestamp) throws(ContentRefusal) -> DownloadClaims {
        guard let parts = Self.parts(of: token), parts[0] == keyID,
            let body = Base64URL.decode(parts[1].utf8).map({ Data($0) }), let code = Base64URL.decode(parts[2].utf8),
            // Compare in constant time, so that the response time reveals nothing about the code.
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let claims = try? WireJSON.decode(DownloadClaims.self, from: body), claims.product == product
        else { throw .tokenRefused }
        guard now < claims.expires else { throw .tokenExpired }
        return claims
    }
}

/// The content of a download token, which the issuer authenticates.
struct DownloadClaims: Codable, Hashable, Sendable {
    /// The identifier by which the server counts the downloads with the token.
    var id: String
    /// The product to whose content the token gives access.
    var product: ProductID
    /// The customer to whom the token was issued.
    var customer: CustomerID
    /// The `originalTransactionId` of the purchase for which the token was issued; a refund of the purchase invalidates the token.
    var purchase: TransactionID
    var expires: Timestamp
}
