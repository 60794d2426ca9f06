package import PurchaseModel

/// The user that an application username identifies.
///
/// A UUID becomes the `appAccountToken` of transactions; any other username is only stored.
package struct ApplicationUser: Hashable, Sendable {
    /// The customer of the developer's server.
    package let token: CustomerID?
    /// The username when it is not a UUID.
    package let username: String?

    /// Parses a username; nil when the username is absent or empty, as many apps pass it.
    package init?(_ username: String?) {
        guard let username, !username.isEmpty else { return nil }
        let customer = CustomerID(username)
        token = customer.isWellFormed ? customer : nil
        self.username = customer.isWellFormed ? nil : username
    }
}
