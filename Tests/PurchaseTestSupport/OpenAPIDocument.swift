package import Foundation

/// A document of `docs/openapi`, parsed line by line.
///
/// The documents share one layout of paths and schemas, so no YAML parser is necessary.
package struct OpenAPIDocument {
    /// The properties of a schema and the required ones among them.
    package struct Schema {
        package fileprivate(set) var properties: Set<String> = []
        package fileprivate(set) var required: Set<String> = []
        /// The name of the schema of a property's value, of its elements or of its members.
        package fileprivate(set) var references: [String: String] = [:]
        /// The properties whose values are maps with names of their own.
        package fileprivate(set) var maps: Set<String> = []
    }

    /// Each method and path, such as `GET /control/v1/apps`.
    package private(set) var operations: Set<String> = []
    /// The name of the response schema of each operation.
    package private(set) var answers: [String: String] = [:]
    /// The operations whose error replies have the schema `Error`.
    package private(set) var operationsWithErrors: Set<String> = []
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
            if indent == 8, key == "default", line.contains("#/components/responses/Error\"") { operationsWithErrors.insert(operation) }
            guard isInSchemas else { continue }
            if indent == 4 {
                schema = String(key)
                schemas[schema] = Schema()
            } else if indent == 6, key == "required" {
                let names = line.drop { $0 != "[" }.dropFirst().dropLast().split(separator: ",")
                schemas[schema]?.required = Set(names.map { $0.trimmingCharacters(in: .whitespaces) })
            } else if indent == 8 {
                schemas[schema]?.properties.insert(String(key))
                // The references of an inline schema belong to its own properties.
                if !line.contains(" properties: {") { schemas[schema]?.references[String(key)] = Self.reference(in: line) }
                if line.contains("additionalProperties:") { schemas[schema]?.maps.insert(String(key)) }
            }
        }
    }

    /// Returns the differences between a JSON object and the schema of an operation's response; empty if there are none.
    package func differences(of response: Data, to operation: String) throws -> [String] {
        guard let name = answers[operation] else { return ["\(operation) has no schema"] }
        return differences(of: try JSONSerialization.jsonObject(with: response), toSchema: name, at: operation)
    }

    /// Returns the differences between an error reply and the schema `Error`; empty if there are none.
    package func differencesOfError(_ response: Data, of operation: String) throws -> [String] {
        guard operationsWithErrors.contains(operation) else { return ["\(operation) has no schema of errors"] }
        return differences(of: try JSONSerialization.jsonObject(with: response), toSchema: "Error", at: operation)
    }

    /// Compares the members of an object and of the objects in it, of which arrays and maps can have several.
    private func differences(of value: Any, toSchema name: String, at place: String) -> [String] {
        guard let schema = schemas[name] else { return ["\(place): there is no schema \(name)"] }
        guard let object = value as? [String: Any] else { return ["\(place): no object"] }
        let members = Set(object.keys)
        let unknown = members.subtracting(schema.properties).sorted().map { "\(place): \($0) is not in the schema" }
        let missing = schema.required.subtracting(members).sorted().map { "\(place): \($0) is missing in the response" }
        return schema.references.sorted { $0.key < $1.key }.reduce(unknown + missing) { found, reference in
            let place = "\(place) \(reference.key)"
            let value = object[reference.key]
            let values = value as? [Any] ?? (schema.maps.contains(reference.key) ? (value as? [String: Any]).map { Array($0.values) } : nil)
            // The value of an enumeration is no object.
            let objects = (values ?? [value as Any]).compactMap { $0 as? [String: Any] }
            return found + objects.flatMap { differences(of: $0, toSchema: reference.value, at: place) }
        }
    }

    private static func reference(in line: some StringProtocol) -> String? {
        guard let range = line.range(of: "#/components/schemas/") else { return nil }
        return String(line[range.upperBound...].prefix { $0 != "\"" })
    }
}
