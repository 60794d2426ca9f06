public import Foundation

/// Any JSON inside of other JSON, kept as bytes for whoever can read it.
///
/// Decoding and encoding keeps every value; the order of keys and the spelling of numbers may change.
public struct JSONText: Codable, Hashable, Sendable {
    /// The JSON.
    public let data: Data

    /// Wraps bytes that are known to be JSON.
    public init(_ data: Data) {
        self.data = data
    }

    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws {
        data = try WireJSON.encode(try decoder.singleValueContainer().decode(JSONValue.self))
    }

    /// Writes the JSON as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try WireJSON.decode(JSONValue.self, from: data))
    }
}
