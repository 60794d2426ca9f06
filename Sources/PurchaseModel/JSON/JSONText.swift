public import Foundation

/// Arbitrary JSON within other JSON, stored as bytes.
///
/// Decoding and encoding preserve every value; the order of members and the format of numbers can change.
public struct JSONText: Codable, Hashable, Sendable {
    /// The JSON as UTF-8.
    public let data: Data

    /// Wraps valid JSON, without validation.
    public init(_ data: Data) {
        self.data = data
    }

    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        data = try WireJSON.encode(try decoder.singleValueContainer().decode(JSONValue.self))
    }

    /// Encodes the JSON value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try WireJSON.decode(JSONValue.self, from: data))
    }
}
