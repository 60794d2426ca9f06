import Foundation
import FoundationExtras

/// The members of a request's JSON object, with functions that read a member or throw the given error for an invalid value.
///
/// A member whose value is null counts as absent.
struct ServerAPIFields {
    private let members: [String: JSONValue]

    /// Parses a JSON object.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the JSON is not an object.
    init(_ json: Data) throws(ServerAPIError) {
        guard case .object(let members)? = try? WireJSON.decode(JSONValue.self, from: json) else { throw .generalBadRequest }
        self.members = Dictionary(
            members.filter { $0.value != .null }.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }
        )
    }

    /// Returns whether the object has a member with this name, and a value other than null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns a member's text, or nil when the member is absent.
    ///
    /// - Throws: `error` when the value is not a string, has control characters, or is longer than ``IdentifierText/limit``.
    func string(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text) where IdentifierText.isValid(text): return text
        default: throw error
        }
    }

    /// Returns a member's integer, or nil when the member is absent.
    ///
    /// - Throws: `error` when the value is not an integer of 64 bits.
    func integer(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Int64? {
        guard let member = members[name] else { return nil }
        guard case .number(let digits) = member, let number = Int64(digits) else { throw error }
        return number
    }

    /// Returns a member's Boolean, or nil when the member is absent.
    ///
    /// - Throws: `error` when the value is not a Boolean.
    func bool(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .bool(let value): return value
        default: throw error
        }
    }

    /// Returns a member's array of texts, or nil when the member is absent.
    ///
    /// - Throws: `error` when the value is not an array of strings, or when a string has control characters or is longer than
    ///   ``IdentifierText/limit``.
    func strings(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> [String]? {
        guard let member = members[name] else { return nil }
        guard case .array(let elements) = member else { throw error }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element, IdentifierText.isValid(text) else { throw error }
            texts.append(text)
        }
        return texts
    }

    /// Returns the value of a required member, and throws `error` when the value is nil.
    func required<Value>(_ value: Value?, or error: ServerAPIError) throws(ServerAPIError) -> Value {
        guard let value else { throw error }
        return value
    }
}
