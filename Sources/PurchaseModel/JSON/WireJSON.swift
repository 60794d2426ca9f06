package import Foundation

/// The one way our protocols write and read JSON: keys sorted, no escaped slashes, dates as the types say.
package enum WireJSON {
    /// Writes a value as JSON.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Reads a value from JSON.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
