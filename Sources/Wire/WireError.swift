/// An error of one of Tillroll's protocols: a code for programs and a message for people.
///
/// In JSON: `{"error":{"code":"content.refunded","message":"…"}}`. The HTTP status is 4xx, or 503 if the client can repeat the request.
package struct WireError: Error, Codable, Hashable, Sendable {
    /// A stable code: words in lower case, joined by dots and hyphens.
    package var code: String
    /// A sentence that states the failure and the next step, without secrets.
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

    /// Decodes the error from the JSON object with the member `error`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Envelope.self).nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        code = try container.decode(String.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
    }

    /// Encodes the error as a JSON object with the member `error`.
    package func encode(to encoder: any Encoder) throws {
        var envelope = encoder.container(keyedBy: Envelope.self)
        var container = envelope.nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
    }
}

extension WireError: CustomStringConvertible {
    /// The message, followed by the code in parentheses.
    package var description: String { "\(message) (\(code))" }
}
