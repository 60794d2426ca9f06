package import PurchaseModel

extension ServerEndpoints {
    /// Reads whether a customer has access to a product, and the reason.
    package static let access = Endpoint<Empty, AccessReply>(.get, "/v1/customers/{customer}/access/{product}")
    /// Reads a customer's credit balance.
    package static let balance = Endpoint<Empty, BalanceReply>(.get, "/v1/customers/{customer}/balance")
    /// Debits a customer's credits, once for each idempotency key.
    package static let spend = Endpoint<SpendRequest, BalanceReply>(.post, "/v1/customers/{customer}/spend")
}

/// A customer's access to a product.
package struct AccessReply: Codable, Hashable, Sendable {
    /// The identifier of the customer.
    package var customer: CustomerID
    /// The identifier of the product.
    package var productID: ProductID
    /// The customer's access to the product, with the reason.
    package var access: Access

    /// Creates a reply.
    package init(customer: CustomerID, productID: ProductID, access: Access) {
        self.customer = customer
        self.productID = productID
        self.access = access
    }
}

/// A customer's credit balance.
package struct BalanceReply: Codable, Hashable, Sendable {
    /// The identifier of the customer.
    package var customer: CustomerID
    /// The customer's remaining credits; negative if a refund revoked credits that were spent before.
    package var balance: Int

    /// Creates a reply.
    package init(customer: CustomerID, balance: Int) {
        self.customer = customer
        self.balance = balance
    }
}

/// A request to debit a customer's credits.
package struct SpendRequest: Codable, Hashable, Sendable {
    /// The idempotency key of the debit; a repeated request has the same key and debits nothing more.
    package var spending: String
    /// The number of credits to debit, at least 1.
    package var amount: Int

    /// Creates a request.
    package init(spending: String, amount: Int) {
        self.spending = spending
        self.amount = amount
    }
}
