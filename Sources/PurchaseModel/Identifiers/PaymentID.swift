public import Foundation

/// The identifier of one payment, made on the device before anything is sent.
///
/// The store charges a payment id once and answers every repeat with the same transaction; that is what makes it
/// safe to send a payment again after a lost reply.
public struct PaymentID: WireIdentifier {
    /// The identifier as it travels: a lower-case UUID.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes the identifier of a new payment.
    public init(_ uuid: UUID) {
        self.rawValue = uuid.uuidString.lowercased()
    }
}
