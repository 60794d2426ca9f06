import Foundation

/// The part of JSON Schema (2020-12) that the schema of the corpus uses.
///
/// An unsupported keyword is a violation.
struct JSONSchema {
    private let root: [String: Any]

    struct NotASchema: Error {}

    init(_ json: Any) throws {
        guard let root = json as? [String: Any] else { throw NotASchema() }
        self.root = root
    }

    /// Returns the violations of the schema in a value, each with its place.
    func violations(in value: Any) -> [String] {
        violations(in: value, by: root, at: "")
    }

    private func violations(in value: Any, by schema: [String: Any], at place: String) -> [String] {
        schema.sorted { $0.key < $1.key }.flatMap { keyword, rule in violations(in: value, keyword, rule, of: schema, at: place) }
    }

    private func violations(in value: Any, _ keyword: String, _ rule: Any, of schema: [String: Any], at place: String) -> [String] {
        let object = value as? [String: Any]
        let array = value as? [Any]
        let text = value as? String
        func violation(_ isViolation: Bool, _ message: String) -> [String] { isViolation ? ["\(place): \(message)"] : [] }
        switch keyword {
        case "$schema", "$defs", "title", "description": return []
        case "$ref":
            let name = (rule as? String ?? "").replacing("#/$defs/", with: "")
            guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                return ["\(place): missing definition \(name)"]
            }
            return violations(in: value, by: target, at: place)
        case "const": return violation(!isSame(value, rule), "must be \(rule)")
        case "enum": return violation(!(rule as? [Any] ?? []).contains { isSame($0, value) }, "must be one of the enumerated values")
        case "type": return violation(!isOf(type: rule as? String, value), "must have the type \(rule)")
        case "pattern":
            return violation(text?.range(of: rule as? String ?? "", options: .regularExpression) == nil, "does not match the pattern")
        case "minLength": return violation((text?.count ?? 0) < rule as? Int ?? 0, "too short")
        case "minItems": return violation((array?.count ?? 0) < rule as? Int ?? 0, "too short")
        case "required":
            return (rule as? [String] ?? []).flatMap { name in violation(object?[name] == nil, "missing property \(name)") }
        case "items":
            guard let item = rule as? [String: Any] else { return ["\(place): `items` is not a schema"] }
            return (array ?? []).enumerated().flatMap { violations(in: $1, by: item, at: "\(place)/\($0)") }
        case "properties":
            let properties = rule as? [String: [String: Any]] ?? [:]
            return properties.keys.sorted().flatMap { name in
                object?[name].map { violations(in: $0, by: properties[name] ?? [:], at: "\(place)/\(name)") } ?? []
            }
        case "additionalProperties":
            let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
            return (object ?? [:]).keys.filter { !known.contains($0) }.sorted().flatMap { name in
                if let other = rule as? [String: Any] {
                    violations(in: object?[name] ?? NSNull(), by: other, at: "\(place)/\(name)")
                } else {
                    ["\(place)/\(name): unknown property"]
                }
            }
        default: return ["\(place): unsupported schema keyword \(keyword)"]
        }
    }

    private func isOf(type: String?, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "integer": value is Int
        default: false
        }
    }

    private func isSame(_ one: Any, _ other: Any) -> Bool {
        (one as? String).map { $0 == other as? String } ?? (one as? Int).map { $0 == other as? Int } ?? false
    }
}
