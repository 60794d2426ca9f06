package import PurchaseModel

extension ControlEndpoints {
    /// Lists the Ask to Buy payments that await a parent's approval.
    package static let approvals = Endpoint<Empty, PendingPaymentsReply>(.get, "/control/v1/approvals")
    /// Approves or declines an Ask to Buy payment.
    package static let decideApproval = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/approvals/{payment}")
    /// Lists interrupted payments.
    package static let interruptions = Endpoint<Empty, PendingPaymentsReply>(.get, "/control/v1/interruptions")
    /// Resolves an interrupted payment, so that it continues.
    package static let resolveInterruption = Endpoint<Empty, Empty>(.post, "/control/v1/interruptions/{payment}")
}

/// The payments that await a parent's approval.
package struct PendingPaymentsReply: Codable, Hashable, Sendable {
    /// One pending payment.
    package struct PendingPayment: Codable, Hashable, Sendable {
        /// The payment identifier.
        package var payment: PaymentID
        /// The child's account.
        package var account: AccountID
        /// The requested product.
        package var productID: ProductID
        /// The quantity.
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
    package var pending: [PendingPayment]

    /// Creates a reply.
    package init(pending: [PendingPayment]) {
        self.pending = pending
    }
}

/// A parent's decision about an Ask to Buy payment.
package struct DecisionRequest: Codable, Hashable, Sendable {
    /// Whether the parent approves the purchase.
    package var approve: Bool

    /// Creates a request.
    package init(approve: Bool) {
        self.approve = approve
    }
}
