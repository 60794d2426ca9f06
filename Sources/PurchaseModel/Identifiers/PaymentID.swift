public import Foundation

/// The identifier of one payment, which the device generates before it sends the payment.
///
/// The store charges each identifier once, and responds to a repeated payment with the same transaction. After a lost response, the
/// device can safely send the payment again.
public struct PaymentID: WireIdentifier {
    /// The identifier as text: a lower-case UUID.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates an identifier from a UUID.
    public init(_ uuid: UUID) {
        self.rawValue = uuid.uuidString.lowercased()
    }
}
