package import PurchaseModel

extension ControlEndpoints {
    /// Payments that wait for a parent.
    package static let approvals = Endpoint<Empty, ApprovalsReply>(.get, "/control/v1/approvals")
    /// A parent's decision.
    package static let decide = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/approvals/{payment}")
    /// Payments that were interrupted.
    package static let interruptions = Endpoint<Empty, ApprovalsReply>(.get, "/control/v1/interruptions")
    /// Lets an interrupted payment go on.
    package static let resolve = Endpoint<Empty, Empty>(.post, "/control/v1/interruptions/{payment}")
}

/// Payments that wait for a parent.
package struct ApprovalsReply: Codable, Hashable, Sendable {
    /// One payment that waits.
    package struct Pending: Codable, Hashable, Sendable {
        /// The payment.
        package var payment: PaymentID
        /// The child's account.
        package var account: AccountID
        /// What the child wants.
        package var productID: ProductID
        /// How many.
        package var quantity: Int

        /// Creates an element.
        package init(payment: PaymentID, account: AccountID, productID: ProductID, quantity: Int) {
            self.payment = payment
            self.account = account
            self.productID = productID
            self.quantity = quantity
        }
    }

    /// The payments, oldest first.
    package var pending: [Pending]

    /// Creates a reply.
    package init(pending: [Pending]) {
        self.pending = pending
    }
}

/// A parent's decision about a payment.
package struct DecisionRequest: Codable, Hashable, Sendable {
    /// Whether the child may buy.
    package var approve: Bool

    /// Creates a request.
    package init(approve: Bool) {
        self.approve = approve
    }
}
