package import Foundation
package import PurchaseModel
import PurchaseProof
package import PurchaseStorage

/// The reference by which a request identifies a customer.
///
/// No path contains a customer: proxies log paths, and clients could treat a URL that contains an identifier as a secret.
package enum CustomerReference: Hashable, Sendable {
    /// The digest of a customer token.
    case token(Data)
    /// The customer's identifier.
    case id(CustomerID)
    /// An alias that a backend assigned to the customer, compared by bytes as in the database.
    case alias(OpaqueText)

    /// The maximum length of an alias in bytes.
    package static let aliasLimit = 200

    /// Reads the name of a customer: a UUID, or an alias of 1 to 200 bytes without control characters; nil for any other text.
    package init?(_ name: String) {
        let id = CustomerID(name)
        guard !id.isWellFormed else {
            self = .id(id)
            return
        }
        guard Self.isAlias(name) else { return nil }
        self = .alias(OpaqueText(name))
    }

    /// Returns whether a text can be an alias; a UUID is an identifier, and can't be an alias.
    package static func isAlias(_ text: String) -> Bool {
        (1...aliasLimit).contains(text.utf8.count) && IdentifierText.isValid(text) && !CustomerID(text).isWellFormed
    }
}

extension StorageTransaction {
    /// Returns the customer whom a request identifies; nil for an alias that no customer has.
    ///
    /// A UUID that the server did not create is also a valid customer, because an app can send any UUID to the App Store as
    /// `appAccountToken`.
    ///
    /// - Throws: ``CustomerRefusal/token`` for an unknown customer token.
    package func customer(_ reference: CustomerReference) throws -> CustomerID? {
        switch reference {
        case .id(let id): return try current(id)
        case .alias(let alias): return try customer(alias: alias.rawValue)
        case .token(let digest):
            guard let customer = try customer(tokenDigest: digest) else { throw CustomerRefusal.token }
            return customer
        }
    }

    /// Returns the customer into whom a customer was merged, or the customer itself.
    package func current(_ id: CustomerID) throws -> CustomerID {
        try customer(id)?.mergedInto ?? id
    }

    /// Returns the customer whom a request identifies, and creates a customer for an alias that no customer has.
    package func customerOrNew(_ reference: CustomerReference, at now: Timestamp) throws -> CustomerID {
        if let customer = try customer(reference) { return customer }
        let customer = CustomerRecord(id: CustomerID(UUID()), createdAt: now)
        try put(customer)
        if case .alias(let alias) = reference { try setAlias(alias.rawValue, of: customer.id) }
        return customer.id
    }
}
