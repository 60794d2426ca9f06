import Foundation

/// Decodes JSON objects with the rules of ``JSONScanner``: no duplicate members, and limits for nesting and for the number of members.
package enum UnambiguousJSON {
    /// Decodes a value from the bytes of a JSON object.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The JSON object in UTF-8.
    ///   - place: The name of the object in errors, such as `keys`.
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)`` with the place of the error.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8], in place: String) throws(Refusal) -> Value {
        let scanner: JSONScanner
        do { scanner = try JSONScanner(bytes) } catch { throw error.refusal(in: place) }
        return try PayloadDecoder.decode(type, from: scanner, in: place)
    }
}

extension PayloadDecoder {
    /// Decodes the object that a scanner has scanned, and names the place of an error.
    static func decode<Value: Decodable>(_ type: Value.Type, from scanner: JSONScanner, in place: String) throws(Refusal) -> Value {
        do {
            return try decode(type, from: scanner)
        } catch let error as DecodingError {
            throw Refusal(.malformed, at: error.place(in: place))
        } catch {
            throw Refusal(.malformed, at: place)
        }
    }
}

extension DecodingError {
    /// The path in the payload at which decoding failed, such as `payload.commitmentInfo.commitmentPrice`.
    var place: String { place(in: "payload") }

    /// Whether a member is missing that the decoded type requires.
    var isMissingMember: Bool { if case .keyNotFound = self { true } else { false } }

    /// Returns the path in an object at which decoding failed, such as `header.kid`.
    func place(in object: String) -> String {
        switch self {
        case .keyNotFound(let key, let context): Self.place(object, context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            Self.place(object, context.codingPath)
        @unknown default: object
        }
    }

    // The coding keys are those of the decoded types. They contain no text from the data, so they can be part of a refusal.
    private static func place(_ object: String, _ path: [any CodingKey]) -> String {
        path.reduce(object) { place, key in place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)") }
    }
}
