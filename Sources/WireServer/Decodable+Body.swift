package import Foundation
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
        var bytes = json.makeIterator()
        var last: UInt8 = 0
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            case 0..<0x20, 0x7F: return true
            // The control characters U+0080 to U+009F begin with the byte C2.
            case 0x80...0x9F where last == 0xC2: return true
            case UInt8(ascii: "\\"):
                switch bytes.next() {
                case UInt8(ascii: "b"), UInt8(ascii: "f"): return true
                case UInt8(ascii: "u"):
                    let digits = [bytes.next(), bytes.next(), bytes.next(), bytes.next()].compactMap { $0 }
                    let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
                    if let scalar, !["\t", "\n", "\r"].contains(scalar), IdentifierText.isControl(scalar) { return true }
                default: break
                }
            default: break
            }
            last = byte
        }
        return false
    }
}
