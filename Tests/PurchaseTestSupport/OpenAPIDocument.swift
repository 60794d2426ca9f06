package import Foundation

/// A document of `docs/openapi`, parsed line by line.
///
/// The documents share one layout of paths and schemas, so no YAML parser is necessary.
package struct OpenAPIDocument {
    /// The properties of a schema and the required ones among them.
    package struct Schema {
        package fileprivate(set) var properties: Set<String> = []
        package fileprivate(set) var required: Set<String> = []
    }

    /// Each method and path, such as `GET /control/v1/apps`.
    package private(set) var operations: Set<String> = []
    /// The name of the response schema of each operation.
    package private(set) var answers: [String: String] = [:]
    package private(set) var schemas: [String: Schema] = [:]

    /// Reads the document with the given name, without `.yaml`.
    package init(_ name: String) throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi/\(name).yaml").standardizedFileURL
        var path = ""
        var operation = ""
        var schema = ""
        var isInSchemas = false
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let key = line.dropFirst(indent).prefix { $0 != ":" }
            if indent == 2 { isInSchemas = key == "schemas" }
            if indent == 2, key.hasPrefix("/") { path = String(key) }
            if indent == 4, ["get", "post", "put", "delete"].contains(key) {
                operation = "\(key.uppercased()) \(path)"
                operations.insert(operation)
            }
            if indent == 8, key.hasPrefix("\"20"), let name = Self.reference(in: line) { answers[operation] = name }
            guard isInSchemas else { continue }
            if indent == 4 {
                schema = String(key)
                schemas[schema] = Schema()
            } else if indent == 6, key == "required" {
                let names = line.drop { $0 != "[" }.dropFirst().dropLast().split(separator: ",")
                schemas[schema]?.required = Set(names.map { $0.trimmingCharacters(in: .whitespaces) })
            } else if indent == 8 {
                schemas[schema]?.properties.insert(String(key))
            }
        }
    }

    /// Returns the differences between a JSON object and the schema of an operation's response; empty if there are none.
    package func differences(of response: Data, to operation: String) throws -> [String] {
        guard let name = answers[operation], let schema = schemas[name] else { return ["\(operation) has no schema"] }
        guard let object = try JSONSerialization.jsonObject(with: response) as? [String: Any] else { return ["\(operation): no object"] }
        let members = Set(object.keys)
        let unknown = members.subtracting(schema.properties).sorted().map { "\(operation): \($0) is not in the schema" }
        let missing = schema.required.subtracting(members).sorted().map { "\(operation): \($0) is missing in the response" }
        return unknown + missing
    }

    private static func reference(in line: some StringProtocol) -> String? {
        guard let range = line.range(of: "#/components/schemas/") else { return nil }
        return String(line[range.upperBound...].prefix { $0 != "\"" })
    }
}
