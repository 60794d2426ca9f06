import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// A random bearer secret, such as an API key or a customer token, and the digest by which the server finds the record of the secret.
///
/// The server stores the digest only, so a copy of the database contains no usable secret.
struct BearerSecret: Hashable, Sendable {
    /// The maximum length of the text in bytes.
    private static let limit = 100

    /// The complete text, such as `sk_…`.
    let text: String

    /// The SHA-256 of the text, by which the server finds the secret's record.
    ///
    /// A slow password hash would add no protection, because the secret has 256 random bits.
    var digest: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Creates a new secret with 256 random bits.
    init(prefix: String) {
        let random = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        text = prefix + Base64URL.encode(random)
    }

    /// Reads a secret from a header; nil for an empty text, a text of more than 100 bytes, or a text with invalid characters.
    init?(_ text: String) {
        guard (1...Self.limit).contains(text.utf8.count), IdentifierText.isValid(text) else { return nil }
        self.text = text
    }
}

extension BearerSecret: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that the secret appears in no log.
    var description: String { "a bearer secret" }

    /// A mirror without children, so that the secret appears in no dump.
    var customMirror: Mirror { Mirror(self, children: []) }
}
