package import PurchaseModel

/// Whom an application username names: a UUID is the token that comes back with transactions, any other text is only kept.
package struct ApplicationUser: Hashable, Sendable {
    /// The customer of the developer's server.
    package let token: CustomerID?
    /// The text that is no UUID.
    package let username: String?

    /// Reads a username; nil when there is none, or an empty one, as many apps pass.
    package init?(_ username: String?) {
        guard let username, !username.isEmpty else { return nil }
        let customer = CustomerID(username)
        token = customer.isWellFormed ? customer : nil
        self.username = customer.isWellFormed ? nil : username
    }
}
