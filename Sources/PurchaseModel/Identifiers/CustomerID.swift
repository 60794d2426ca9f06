public import Foundation

/// The identifier of a customer of the developer's server: a lower-case UUID that the app generates.
///
/// The app sends the identifier with each payment as the application username. Signed transactions contain the identifier as
/// `appAccountToken`, which assigns a purchase to a customer without identifying the customer to the store.
public struct CustomerID: WireIdentifier {
    /// The identifier as text: a lower-case UUID.
    public let rawValue: String

    /// Creates an identifier from text, which is converted to lower case and not validated.
    public init(_ rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Creates an identifier from a UUID.
    public init(_ uuid: UUID) {
        self.init(uuid.uuidString)
    }

    /// Whether the identifier is a UUID, which the store requires of an `appAccountToken`.
    public var isWellFormed: Bool {
        IdentifierText.uuid(rawValue) != nil
    }
}
