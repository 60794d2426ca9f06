import Foundation

/// As much of JSON Schema (2020-12) as the schema of the corpus uses; a word that is not known here is a fault.
struct JSONSchema {
    private let root: [String: Any]

    struct NotASchema: Error {}

    init(_ json: Any) throws {
        guard let root = json as? [String: Any] else { throw NotASchema() }
        self.root = root
    }

    /// What is wrong with a value, each with its place.
    func faults(in value: Any) -> [String] {
        faults(in: value, by: root, at: "")
    }

    private func faults(in value: Any, by schema: [String: Any], at place: String) -> [String] {
        schema.sorted { $0.key < $1.key }.flatMap { word, rule in faults(in: value, word, rule, of: schema, at: place) }
    }

    private func faults(in value: Any, _ word: String, _ rule: Any, of schema: [String: Any], at place: String) -> [String] {
        let object = value as? [String: Any]
        let array = value as? [Any]
        let text = value as? String
        func fault(_ isFault: Bool, _ what: String) -> [String] { isFault ? ["\(place): \(what)"] : [] }
        switch word {
        case "$schema", "$defs", "title", "description": return []
        case "$ref":
            let name = (rule as? String ?? "").replacing("#/$defs/", with: "")
            guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                return ["\(place): no definition \(name)"]
            }
            return faults(in: value, by: target, at: place)
        case "const": return fault(!isSame(value, rule), "it is not \(rule)")
        case "enum": return fault(!(rule as? [Any] ?? []).contains { isSame($0, value) }, "it is none of the values")
        case "type": return fault(!isOf(type: rule as? String, value), "it is not of the type \(rule)")
        case "pattern":
            return fault(text?.range(of: rule as? String ?? "", options: .regularExpression) == nil, "it does not match the pattern")
        case "minLength": return fault((text?.count ?? 0) < rule as? Int ?? 0, "it is too short")
        case "minItems": return fault((array?.count ?? 0) < rule as? Int ?? 0, "it is too short")
        case "required":
            return (rule as? [String] ?? []).flatMap { name in fault(object?[name] == nil, "it has no \(name)") }
        case "items":
            guard let item = rule as? [String: Any] else { return ["\(place): items is no schema"] }
            return (array ?? []).enumerated().flatMap { faults(in: $1, by: item, at: "\(place)/\($0)") }
        case "properties":
            let properties = rule as? [String: [String: Any]] ?? [:]
            return properties.keys.sorted().flatMap { name in
                object?[name].map { faults(in: $0, by: properties[name] ?? [:], at: "\(place)/\(name)") } ?? []
            }
        case "additionalProperties":
            let known = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
            return (object ?? [:]).keys.filter { !known.contains($0) }.sorted().flatMap { name in
                if let other = rule as? [String: Any] {
                    faults(in: object?[name] ?? NSNull(), by: other, at: "\(place)/\(name)")
                } else {
                    ["\(place)/\(name): nobody knows it"]
                }
            }
        default: return ["\(place): the schema says \(word), which is not known here"]
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
