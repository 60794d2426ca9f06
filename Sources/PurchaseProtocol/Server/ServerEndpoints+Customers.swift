package import PurchaseModel

extension ServerEndpoints {
    /// Whether a customer has access to a product, and why.
    package static let access = Endpoint<Empty, AccessReply>(.get, "/v1/customers/{customer}/access/{product}")
    /// A customer's credits.
    package static let balance = Endpoint<Empty, BalanceReply>(.get, "/v1/customers/{customer}/balance")
    /// Takes credits from a customer, once for each spending id.
    package static let spend = Endpoint<SpendRequest, BalanceReply>(.post, "/v1/customers/{customer}/spend")
}

/// The answer to "does this customer have access?".
package struct AccessReply: Codable, Hashable, Sendable {
    /// The customer.
    package var customer: CustomerID
    /// The product.
    package var product: ProductID
    /// The answer with its reason.
    package var access: Access

    /// Creates a reply.
    package init(customer: CustomerID, product: ProductID, access: Access) {
        self.customer = customer
        self.product = product
        self.access = access
    }
}

/// A customer's credits.
package struct BalanceReply: Codable, Hashable, Sendable {
    /// The customer.
    package var customer: CustomerID
    /// The credits that are left; below zero when refunds took back credits that were spent already.
    package var balance: Int

    /// Creates a reply.
    package init(customer: CustomerID, balance: Int) {
        self.customer = customer
        self.balance = balance
    }
}

/// Credits that a customer spends.
package struct SpendRequest: Codable, Hashable, Sendable {
    /// Made by the app for this spending; a repeat carries the same and takes nothing more.
    package var spending: String
    /// How many credits, at least 1.
    package var amount: Int

    /// Creates a request.
    package init(spending: String, amount: Int) {
        self.spending = spending
        self.amount = amount
    }
}
