import Foundation
import FoundationExtras
import PurchaseTestSupport
import ServerProtocol
import Testing

/// The JSON Schemas of `docs/events`, and a validator of the keywords that they use.
struct FeedSchemas: Sendable {
    /// The schemas, read once.
    static let shared = Result { try FeedSchemas() }

    /// An event that does not match its schema.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private let schemas: [String: Data]

    private init() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../docs/events").standardizedFileURL
        schemas = try Dictionary(
            uniqueKeysWithValues: FeedEventType.allCases.map { type in
                (type.rawValue, try Data(contentsOf: folder.appending(path: "\(type.rawValue).v\(type.schemaVersion).json")))
            })
    }

    /// Checks that each event matches the schema of its type and version.
    func validate(_ events: [FeedEvent]) throws {
        var parsed: [String: [String: Any]] = [:]
        for event in events {
            let type = event.type.rawValue
            let schema = try parsed[type] ?? Self.object(schemas[type] ?? Data())
            parsed[type] = schema
            let value = try JSONSerialization.jsonObject(with: WireJSON.encode(event))
            let differences = Self.differences(of: value, from: schema, in: schema, at: type)
            guard differences.isEmpty else { throw Mismatch(description: "\(differences) in \(value)") }
        }
    }

    /// The keywords that the validator knows, apart from annotations.
    private static let keywords: Set<String> = [
        "$schema", "title", "description", "$defs", "$ref", "type", "const", "enum", "pattern", "properties", "required",
        "additionalProperties", "items", "minimum", "maximum", "maxItems",
    ]

    /// Returns what a value has that its schema does not allow.
    static func differences(of value: Any, from schema: [String: Any], in root: [String: Any], at place: String) -> [String] {
        var found = Set(schema.keys).subtracting(keywords).map { "\(place): unknown keyword \($0)" }
        if let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last,
            let target = (root["$defs"] as? [String: [String: Any]])?[String(name)]
        {
            return differences(of: value, from: target, in: root, at: place)
        }
        if let constant = schema["const"], "\(constant)" != "\(value)" { found.append("\(place): \(value) is not \(constant)") }
        if let values = schema["enum"] as? [String], !values.contains("\(value)") { found.append("\(place): \(value) is not in \(values)") }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? [String: Any] else { return found + ["\(place) is no object"] }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            for name in schema["required"] as? [String] ?? [] where object[name] == nil { found.append("\(place).\(name) is missing") }
            for (name, member) in object {
                guard let property = properties[name] else {
                    found.append("\(place).\(name) is unknown")
                    continue
                }
                found += differences(of: member, from: property, in: root, at: "\(place).\(name)")
            }
        case "array":
            guard let array = value as? [Any] else { return found + ["\(place) is no array"] }
            if let limit = schema["maxItems"] as? Int, array.count > limit { found.append("\(place) has \(array.count) items") }
            guard let items = schema["items"] as? [String: Any] else { break }
            for item in array { found += differences(of: item, from: items, in: root, at: "\(place)[]") }
        case "string":
            guard let text = value as? String else { return found + ["\(place) is no string"] }
            if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
                found.append("\(place) does not match \(pattern)")
            }
        case "integer":
            guard let number = value as? Int else { return found + ["\(place) is no integer"] }
            if let minimum = schema["minimum"] as? Int, number < minimum { found.append("\(place) is less than \(minimum)") }
            if let maximum = schema["maximum"] as? Int, number > maximum { found.append("\(place) is greater than \(maximum)") }
        case "boolean":
            if !(value is Bool) { found.append("\(place) is no Boolean") }
        case let type?: found.append("\(place): unknown type \(type)")
        case nil: break
        }
        return found
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

/// Tests of the JSON Schemas themselves.
@Suite struct FeedSchemaTests {
    @Test func `each type and version has a schema, and no schema is left over`() throws {
        _ = try FeedSchemas.shared.get()
        let folder = URL(filePath: #filePath).appending(path: "../../../../docs/events").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(Set(files) == Set(FeedEventType.allCases.map { "\($0.rawValue).v\($0.schemaVersion).json" }))
    }

    @Test func `a value that a schema does not allow is found`() {
        let schema: [String: Any] = [
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": ["a": ["type": "integer", "minimum": 1], "b": ["enum": ["x"]]],
        ]
        for value: [String: Any] in [[:], ["a": 0], ["a": "1"], ["a": 1, "b": "y"], ["a": 1, "c": 1]] {
            #expect(!FeedSchemas.differences(of: value, from: schema, in: schema, at: "event").isEmpty, "\(value)")
        }
        #expect(FeedSchemas.differences(of: ["a": 1, "b": "x"], from: schema, in: schema, at: "event").isEmpty)
    }
}
