public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the Ask to Buy payments that await a parent's approval.
    package static let approvals = Endpoint<Empty, PendingPaymentsReply>(.get, "/control/v1/approvals")
    /// Approves or declines an Ask to Buy payment.
    package static let decideApproval = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/approvals/{payment}")
    /// Lists the interrupted payments.
    package static let interruptions = Endpoint<Empty, PendingPaymentsReply>(.get, "/control/v1/interruptions")
    /// Resolves the interruption of a payment, so that the payment continues.
    package static let resolveInterruption = Endpoint<Empty, Empty>(.post, "/control/v1/interruptions/{payment}")
}

/// A payment that awaits a parent's approval or is interrupted.
public struct PendingPayment: Codable, Hashable, Sendable {
    /// The payment identifier.
    public var payment: PaymentID
    /// The account that made the payment.
    public var account: AccountID
    /// The identifier of the requested product.
    public var productID: ProductID
    /// The requested quantity.
    public var quantity: Int

    /// Creates a pending payment.
    package init(payment: PaymentID, account: AccountID, productID: ProductID, quantity: Int) {
        self.payment = payment
        self.account = account
        self.productID = productID
        self.quantity = quantity
    }
}

/// The Ask to Buy payments that await a parent's approval, or the interrupted payments.
package struct PendingPaymentsReply: Codable, Hashable, Sendable {
    /// The pending payments, oldest first.
    package var pending: [PendingPayment]

    /// Creates a reply.
    package init(pending: [PendingPayment]) {
        self.pending = pending
    }
}

/// A decision about a pending Ask to Buy payment or a refund request.
package struct DecisionRequest: Codable, Hashable, Sendable {
    /// Whether the payment or the refund is approved; otherwise it is declined.
    package var approve: Bool

    /// Creates a request.
    package init(approve: Bool) {
        self.approve = approve
    }
}
