import Foundation

/// The members of a request's JSON object, asked one by one, so that each that is not as it must be has its own error.
///
/// A member that is null counts as absent.
struct ServerAPIFields {
    private let members: [String: JSONValue]

    /// Reads an object.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when it is none.
    init(_ json: Data) throws(ServerAPIError) {
        guard case .object(let members)? = try? WireJSON.decode(JSONValue.self, from: json) else { throw .generalBadRequest }
        self.members = Dictionary(
            members.filter { $0.value != .null }.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }
        )
    }

    /// Whether there is such a member.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A text without control characters, or nil when there is none.
    func string(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text) where IdentifierText.isValid(text): return text
        default: throw error
        }
    }

    /// A whole number, or nil when there is none.
    func integer(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Int64? {
        guard let member = members[name] else { return nil }
        guard case .number(let digits) = member, let number = Int64(digits) else { throw error }
        return number
    }

    /// True or false, or nil when there is neither.
    func bool(_ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .bool(let value): return value
        default: throw error
        }
    }

    /// A list of texts, or nil when there is none.
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

    /// A value that must be there.
    func required<Value>(_ value: Value?, or error: ServerAPIError) throws(ServerAPIError) -> Value {
        guard let value else { throw error }
        return value
    }
}
