import Foundation

/// The members of a request's JSON object, each of which has its own error for an invalid value.
///
/// A null member counts as absent.
struct ServerAPIFields {
    private let members: [String: JSONValue]

    /// Parses an object.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the JSON is not an object.
    init(_ json: Data) throws(ServerAPIError) {
        guard case .object(let members)? = try? WireJSON.decode(JSONValue.self, from: json) else { throw .generalBadRequest }
        self.members = Dictionary(
            members.filter { $0.value != .null }.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }
        )
    }

    /// Whether the member exists.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A text without control characters; nil when the member is absent.
    func string(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text) where IdentifierText.isValid(text): return text
        default: throw error
        }
    }

    /// An integer; nil when the member is absent.
    func integer(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Int64? {
        guard let member = members[name] else { return nil }
        guard case .number(let digits) = member, let number = Int64(digits) else { throw error }
        return number
    }

    /// A Boolean; nil when the member is absent.
    func bool(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .bool(let value): return value
        default: throw error
        }
    }

    /// A list of texts; nil when the member is absent.
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

    /// Unwraps the value of a required member.
    func required<Value>(_ value: Value?, or error: ServerAPIError) throws(ServerAPIError) -> Value {
        guard let value else { throw error }
        return value
    }
}
