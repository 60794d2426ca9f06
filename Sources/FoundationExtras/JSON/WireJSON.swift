package import Foundation

/// Encodes and decodes the JSON that stores, servers and apps exchange, with sorted keys and without escaped slashes.
package enum WireJSON {
    /// Encodes a value as JSON.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes a value from JSON.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
