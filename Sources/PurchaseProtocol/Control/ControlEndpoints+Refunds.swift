package import PurchaseModel

extension ControlEndpoints {
    /// Gives the money of a transaction back.
    package static let refund = Endpoint<IssueRefund, Empty>(.post, "/control/v1/refunds")
    /// Takes a refund back.
    package static let reverseRefund = Endpoint<ReverseRefundRequest, Empty>(.post, "/control/v1/refunds/reverse")
    /// A customer asks for the money of a transaction; the developer's server is asked what it thinks.
    package static let requestRefund = Endpoint<RefundRequest, RefundRequestDescription>(.post, "/control/v1/refund-requests")
    /// The customers' requests, oldest first.
    package static let refundRequests = Endpoint<Empty, RefundRequestsReply>(.get, "/control/v1/refund-requests")
    /// Decides on a customer's request.
    package static let decideRefund = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/refund-requests/{request}")
}

/// Which transaction's money to give back.
package struct IssueRefund: Codable, Hashable, Sendable {
    /// The transaction.
    package var transaction: TransactionID
    /// 0, or 1 when it is the app's fault; nil for 0.
    package var reason: Int?
    /// How much of the price, in thousandths of a percent; nil for all of it.
    package var percentage: Int?

    /// Creates a request.
    package init(transaction: TransactionID, reason: Int? = nil, percentage: Int? = nil) {
        self.transaction = transaction
        self.reason = reason
        self.percentage = percentage
    }
}

/// Which transaction's refund to take back.
package struct ReverseRefundRequest: Codable, Hashable, Sendable {
    /// The transaction.
    package var transaction: TransactionID

    /// Creates a request.
    package init(transaction: TransactionID) {
        self.transaction = transaction
    }
}

/// A customer's request for the money of a transaction.
package struct RefundRequest: Codable, Hashable, Sendable {
    /// The transaction.
    package var transaction: TransactionID
    /// Why; nil for `OTHER`.
    package var reason: ConsumptionRequestReason?

    /// Creates a request.
    package init(transaction: TransactionID, reason: ConsumptionRequestReason? = nil) {
        self.transaction = transaction
        self.reason = reason
    }
}

/// Customers' requests for refunds.
package struct RefundRequestsReply: Codable, Hashable, Sendable {
    /// Oldest first.
    package var requests: [RefundRequestDescription]

    /// Creates a reply.
    package init(requests: [RefundRequestDescription]) {
        self.requests = requests
    }
}

/// A customer's request for a refund, and what became of it.
package struct RefundRequestDescription: Codable, Hashable, Sendable {
    /// The request.
    package var id: Int64
    /// The transaction.
    package var transaction: TransactionID
    /// Why, such as `UNINTENDED_PURCHASE`.
    package var reason: String
    /// When it was asked.
    package var date: Timestamp
    /// When the store decides by itself; nil when it is decided.
    package var due: Timestamp?
    /// `pending`, `granted` or `declined`.
    package var state: String
    /// What the developer's server said, as it said it.
    package var consumption: JSONText?

    /// Creates a description.
    package init(
        id: Int64, transaction: TransactionID, reason: String, date: Timestamp, due: Timestamp?, state: String, consumption: JSONText?
    ) {
        self.id = id
        self.transaction = transaction
        self.reason = reason
        self.date = date
        self.due = due
        self.state = state
        self.consumption = consumption
    }
}
