package import PurchaseModel

/// The user that the `applicationUsername` of a payment identifies.
///
/// A username that is a UUID becomes the `appAccountToken` of transactions. No transaction contains any other username.
package struct ApplicationUser: Hashable, Sendable {
    /// The username as the identifier of a customer; nil if the username is not a UUID.
    package let token: CustomerID?
    /// The username; nil if it is a UUID.
    package let username: String?

    /// Creates a user from an `applicationUsername`; returns nil if the username is absent or empty.
    package init?(_ username: String?) {
        guard let username, !username.isEmpty else { return nil }
        let customer = CustomerID(username)
        token = customer.isWellFormed ? customer : nil
        self.username = customer.isWellFormed ? nil : username
    }
}
