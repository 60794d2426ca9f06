import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// The stored form of a compact JWS in a database, without the header.
///
/// The App Store signs with few keys, and puts the certificates of the key into the header of every JWS. The header has about 4 KB, more
/// than the rest of a JWS, and a notification contains the header three times. The database stores each header once, and the rest of the
/// JWS with the header's key:
///
/// ```text
/// ~KEY.SIGNATURE.PAYLOAD
/// ```
///
/// The payload is JSON, in which a control character replaces the header of a nested JWS. The JWS can be restored byte for byte, because
/// each sequence of bytes has exactly one base64url encoding.
package struct StoredJWS: Hashable, Sendable {
    /// The first character of the stored form, which is not in the alphabet of base64url.
    private static let mark: Character = "~"
    /// The character that replaces the header in the payload; JSON contains control characters in escaped form only.
    private static let placeholder: UInt8 = 0x01

    /// The stored form of the JWS.
    let text: String
    /// The identifier of the header.
    let key: String
    /// The header in base64url.
    let header: String
    /// The payload as JSON; nil if the payload contains a JWS with the same header.
    let payload: String?

    /// Separates a JWS from its header; returns nil for a text that can't be restored byte for byte, which the storage stores unchanged.
    init?(_ compact: String) {
        let bytes = Array(compact.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = bytes.first(dot, in: bytes.indices), first > 0, let second = bytes.first(dot, in: first + 1..<bytes.count),
            let payload = Base64URL.decode(bytes.span.extracting(first + 1..<second)),
            payload.first(Self.placeholder, in: payload.indices) == nil
        else { return nil }
        let replaced = Self.replace(bytes[..<first], in: payload)
        guard let json = String(validating: replaced, as: UTF8.self) else { return nil }
        let signature = bytes[(second + 1)...]
        guard !signature.contains(dot) else { return nil }
        header = String(decoding: bytes[..<first], as: UTF8.self)
        key = Base64URL.encode(Array(SHA256.hash(data: bytes[..<first]).prefix(16)))
        self.payload = replaced.count == payload.count ? json : nil
        text = "\(Self.mark)\(key).\(String(decoding: signature, as: UTF8.self)).\(json)"
    }

    /// Returns the key of the header of a stored text; nil for a JWS that was stored with its header.
    static func key(in text: String) -> String? {
        guard text.first == mark, let end = text.firstIndex(of: ".") else { return nil }
        return String(text[text.index(after: text.startIndex)..<end])
    }

    /// Restores a JWS from its stored text and its header.
    static func restore(_ text: String, header: String) -> String? {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var payload: [UInt8] = []
        for byte in parts[2].utf8 {
            if byte == placeholder { payload += header.utf8 } else { payload.append(byte) }
        }
        return "\(header).\(Base64URL.encode(payload)).\(parts[1])"
    }

    /// Replaces the header of each nested JWS, which begins a JSON string and ends with a dot.
    private static func replace(_ header: ArraySlice<UInt8>, in payload: [UInt8]) -> [UInt8] {
        let (header, quote, dot) = (Array(header), UInt8(ascii: "\""), UInt8(ascii: "."))
        var replaced: [UInt8] = []
        replaced.reserveCapacity(payload.count)
        var start = 0
        while let index = payload.first(quote, in: start..<payload.count) {
            replaced += payload[start...index]
            start = index + 1
            let end = start + header.count
            if end < payload.count, payload[end] == dot, payload[start..<end].holds(header) {
                replaced.append(placeholder)
                start = end
            }
        }
        return replaced + payload[start...]
    }
}
