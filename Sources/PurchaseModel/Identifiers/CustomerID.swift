public import Foundation

/// The identifier of a customer at the developer's own server: a UUID that the app chose, in lower case.
///
/// It goes with each payment as its application username, comes back as `appAccountToken` in signed transactions, and
/// so ties a purchase to the customer who made it without telling the store who that is.
public struct CustomerID: WireIdentifier {
    /// The identifier as it travels: a lower-case UUID.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier; upper-case UUIDs become lower-case.
    public init(_ rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Makes the identifier of a new customer.
    public init(_ uuid: UUID) {
        self.init(uuid.uuidString)
    }

    /// Whether the text has the form of a UUID, as the store demands of an `appAccountToken`.
    public var isWellFormed: Bool {
        IdentifierText.uuid(rawValue) != nil
    }
}
