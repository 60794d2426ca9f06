package import Foundation
import FoundationExtras
import PurchaseModel

extension Decodable {
    /// Creates a value from the JSON body of a request.
    ///
    /// - Throws: ``BodyRefusal`` with status 400 when the body is not UTF-8, is not the expected JSON, or contains a control character
    ///   other than a tab or a line break. ``IdentifierRefusal`` with status 400 when an identifier in the body is not valid.
    package init(body: Data) throws {
        guard String(validating: body, as: UTF8.self) != nil else { throw BodyRefusal.notUTF8 }
        guard !JSONText.containsControlCharacter(body) else { throw BodyRefusal.controlCharacter }
        do {
            self = try WireJSON.decode(Self.self, from: body)
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.underlyingError is IdentifierText.Refusal {
                throw IdentifierRefusal.malformed(place: error.place)
            }
            throw BodyRefusal.unreadable(place: error.place)
        }
    }
}

extension DecodingError {
    /// The path in the JSON at which decoding failed, without any values of the JSON.
    fileprivate var place: String {
        let path =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: [any CodingKey]()
            }
        return path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
}

extension JSONText {
    /// Returns whether JSON in UTF-8 contains a control character other than a tab or a line break, raw or escaped.
    ///
    /// JSON in UTF-16 counts as containing control characters, because every other byte of ASCII text is 0 in UTF-16. The cost is one pass
    /// over the bytes.
    fileprivate static func containsControlCharacter(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                // Most of a body is one long text, so that 8 bytes at once are usually plain.
                if bytes.count - place >= 8, isPlain(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) {
                    place += 8
                } else if isControlCharacter(at: &place, of: bytes) {
                    return true
                }
            }
            return false
        }
    }

    /// Returns whether none of 8 bytes is part of a control character, an escape sequence or a multibyte character.
    private static func isPlain(_ bytes: UInt64) -> Bool {
        let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // The highest bit of a byte of these words is set if the byte is a space character or less, a backslash, or a deletion character.
        // A borrow from a lower byte can set it, too, but only if the bit of the lower byte is set.
        let belowSpace = bytes &- 0x20 * ones
        let backslash = (bytes ^ 0x5C * ones) &- ones
        let deletion = (bytes ^ 0x7F * ones) &- ones
        return (bytes | belowSpace | backslash | deletion) & highBits == 0
    }

    /// Returns whether a character is a control character other than a tab or a line break, and moves `place` to the next character.
    private static func isControlCharacter(at place: inout Int, of bytes: UnsafeRawBufferPointer) -> Bool {
        defer { place += 1 }
        switch bytes[place] {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return false
        case 0..<0x20, 0x7F: return true
        // The control characters U+0080 to U+009F begin with the byte C2.
        case 0x80...0x9F: return place > 0 && bytes[place - 1] == 0xC2
        case UInt8(ascii: "\\"):
            place += 1
            guard place < bytes.count else { return false }
            switch bytes[place] {
            case UInt8(ascii: "b"), UInt8(ascii: "f"): return true
            case UInt8(ascii: "u"):
                let digits = bytes[(place + 1)...].prefix(4)
                place += digits.count
                let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
                return scalar.map { !["\t", "\n", "\r"].contains($0) && IdentifierText.isControl($0) } ?? false
            default: return false
            }
        default: return false
        }
    }
}
