/// An error of a Tillroll protocol: a code for programs and a message for people.
///
/// In JSON: `{"error":{"code":"content.refunded","message":"…"}}`, with a 4xx status, or 503 for a retryable error.
package struct WireError: Error, Codable, Hashable, Sendable {
    /// A stable code: words in lower case, joined by dots.
    package var code: String
    /// The failure and the next step, in a sentence without secrets.
    package var message: String

    /// Creates an error.
    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    private enum Envelope: String, CodingKey {
        case error
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case message
    }

    /// Decodes the error from its envelope.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Envelope.self).nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        code = try container.decode(String.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
    }

    /// Encodes the error into its envelope.
    package func encode(to encoder: any Encoder) throws {
        var envelope = encoder.container(keyedBy: Envelope.self)
        var container = envelope.nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
    }
}

extension WireError: CustomStringConvertible {
    /// The message, then the code.
    package var description: String { "\(message) (\(code))" }
}
