import PurchaseProof

/// A random text that a client sends with one request, and that the signature of the response repeats.
///
/// The client remembers the nonce until the response, and so recognizes a response to another request.
public struct RequestNonce: Hashable, Sendable, CustomStringConvertible {
    /// The name of the request's header field: `Tillroll-Nonce`.
    public static let fieldName = "Tillroll-Nonce"

    /// The nonce as text: 16 to 128 letters, digits, `-` and `_`.
    public let rawValue: String

    /// Parses the nonce of a request; nil unless it consists of 16 to 128 letters, digits, `-` and `_`.
    public init?(_ text: String) {
        let isValid = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        }
        guard isValid, (16...128).contains(text.utf8.count) else { return nil }
        rawValue = text
    }

    /// Creates a nonce with 128 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a nonce with 128 bits of a random number generator.
    public init(using generator: inout some RandomNumberGenerator) {
        rawValue = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The nonce as text.
    public var description: String { rawValue }
}
