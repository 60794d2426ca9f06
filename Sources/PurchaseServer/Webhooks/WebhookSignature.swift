import Crypto
import Foundation
import FoundationExtras
import PurchaseModel

/// The secrets of a webhook endpoint, which sign its messages as the Standard Webhooks specification says.
///
/// The specification is at <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.
struct WebhookSecrets: Codable, Hashable, Sendable {
    /// The length of a secret in bytes; the specification permits 24 to 64.
    private static let length = 32

    /// An earlier secret, which signs until a date.
    struct Earlier: Codable, Hashable, Sendable {
        let secret: Data
        let until: Timestamp
    }

    /// The secret of new messages.
    private(set) var current: Data
    private(set) var earlier: [Earlier] = []
    /// The value of the header `Authorization`; nil for no header.
    private(set) var authorization: String?

    /// Creates a random secret.
    init(authorization: String? = nil) {
        current = Self.random()
        self.authorization = authorization
    }

    private static func random() -> Data { SymmetricKey(size: SymmetricKeySize(bitCount: length * 8)).withUnsafeBytes { Data($0) } }

    /// The current secret as text, with the prefix of the specification.
    var text: String { "whsec_" + current.base64EncodedString() }

    /// Replaces the current secret with a random one; the replaced secret signs until a date, next to the new one.
    mutating func rotate(until date: Timestamp, at now: Timestamp) {
        earlier = (earlier + [Earlier(secret: current, until: date)]).filter { $0.until > now }.suffix(2)
        current = Self.random()
    }

    /// Returns the header `webhook-signature` of a message: a signature with each valid secret, the current one first.
    ///
    /// - Parameters:
    ///   - message: The identifier of the message.
    ///   - body: The exact bytes of the body.
    ///   - now: The date in the header `webhook-timestamp`.
    func signatures(of message: String, _ body: [UInt8], at now: Timestamp) -> String {
        let content = Data("\(message).\(now.milliseconds / 1_000).".utf8) + body
        return ([current] + earlier.filter { $0.until > now }.map(\.secret))
            .map { secret in
                let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret))
                return "v1," + Data(code).base64EncodedString()
            }
            .joined(separator: " ")
    }

    /// Returns the headers of a message.
    func headers(of message: String, _ body: [UInt8], at now: Timestamp) -> [String: String] {
        var headers = [
            "Content-Type": "application/json", "User-Agent": "tillroll-server", "webhook-id": message,
            "webhook-timestamp": "\(now.milliseconds / 1_000)", "webhook-signature": signatures(of: message, body, at: now),
        ]
        headers["Authorization"] = authorization
        return headers
    }
}
