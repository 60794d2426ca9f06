package import Foundation

/// An arbitrary JSON value as bytes, which other JSON can contain as a value.
///
/// Decoding and encoding preserve the JSON value, except for the order of members and the format of numbers.
package struct JSONText: Codable, Hashable, Sendable {
    /// The JSON value in UTF-8.
    package let data: Data

    /// Wraps valid JSON, without validating the bytes.
    package init(_ data: Data) {
        self.data = data
    }

    /// Decodes any JSON value.
    package init(from decoder: any Decoder) throws {
        data = try WireJSON.encode(try decoder.singleValueContainer().decode(JSONValue.self))
    }

    /// Encodes the JSON value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try WireJSON.decode(JSONValue.self, from: data))
    }
}
