public import Foundation
package import FoundationExtras
public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Refunds a transaction of a local store; a repeated call changes nothing.
    package static let refund = Endpoint<IssueRefund, RefundReply>(.post, "/control/v1/refunds")
    /// Reverses the refund of a transaction.
    package static let reverseRefund = Endpoint<ReverseRefundRequest, Empty>(.post, "/control/v1/refunds/reverse")
    /// Requests a refund for a customer; the store then requests consumption information from the developer's server.
    package static let requestRefund = Endpoint<RefundRequest, RefundRequestDescription>(.post, "/control/v1/refund-requests")
    /// Lists the refund requests of a local store, oldest first.
    package static let refundRequests = Endpoint<Empty, RefundRequestsReply>(.get, "/control/v1/refund-requests")
    /// Approves or declines a refund request.
    package static let decideRefund = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/refund-requests/{request}")
}

/// A request to refund a transaction.
package struct IssueRefund: Codable, Hashable, Sendable {
    /// The identifier of the transaction to refund.
    package var transactionID: TransactionID
    /// The revocation reason: 1 for an issue with the app, otherwise 0; nil for 0.
    package var reason: Int?
    /// The refunded part of the price, in thousandths of a percent; nil for the full price.
    package var percentage: Int?
    /// The number of seats to refund; nil for all seats of the transaction.
    package var seats: Int?

    /// Creates a request.
    package init(transactionID: TransactionID, reason: Int? = nil, percentage: Int? = nil, seats: Int? = nil) {
        self.transactionID = transactionID
        self.reason = reason
        self.percentage = percentage
        self.seats = seats
    }
}

/// The reply to a request to refund a transaction.
package struct RefundReply: Codable, Hashable, Sendable {
    /// Whether the transaction was refunded before, so that the request changed nothing.
    package var isRepeated: Bool

    /// Creates a reply.
    package init(isRepeated: Bool) {
        self.isRepeated = isRepeated
    }
}

/// A request to reverse the refund of a transaction.
package struct ReverseRefundRequest: Codable, Hashable, Sendable {
    /// The identifier of the refunded transaction.
    package var transactionID: TransactionID

    /// Creates a request.
    package init(transactionID: TransactionID) {
        self.transactionID = transactionID
    }
}

/// A customer's request to refund a transaction.
package struct RefundRequest: Codable, Hashable, Sendable {
    /// The identifier of the transaction to refund.
    package var transactionID: TransactionID
    /// The reason for the refund request; nil for `OTHER`.
    package var reason: ConsumptionRequestReason?

    /// Creates a request.
    package init(transactionID: TransactionID, reason: ConsumptionRequestReason? = nil) {
        self.transactionID = transactionID
        self.reason = reason
    }
}

/// The refund requests of a local store.
package struct RefundRequestsReply: Codable, Hashable, Sendable {
    /// The refund requests, oldest first.
    package var requests: [RefundRequestDescription]

    /// Creates a reply.
    package init(requests: [RefundRequestDescription]) {
        self.requests = requests
    }
}

/// A customer's refund request, with its state.
public struct RefundRequestDescription: Codable, Hashable, Sendable {
    /// The identifier of the refund request.
    public var id: Int64
    /// The identifier of the transaction to refund.
    public var transactionID: TransactionID
    /// The reason for the refund request, such as `UNINTENDED_PURCHASE`.
    public var reason: String
    /// The date of the refund request.
    public var date: Timestamp
    /// The date when the store decides the refund request automatically; nil after the decision.
    public var due: Timestamp?
    /// The state of the refund request: `pending`, `granted` or `declined`.
    public var state: String
    /// The JSON value of ``consumptionJSON``.
    package var consumption: JSONText?

    /// The consumption information from the developer's server as JSON; nil for none.
    public var consumptionJSON: Data? { consumption?.data }

    /// Creates a description.
    package init(
        id: Int64, transactionID: TransactionID, reason: String, date: Timestamp, due: Timestamp?, state: String, consumption: JSONText?
    ) {
        self.id = id
        self.transactionID = transactionID
        self.reason = reason
        self.date = date
        self.due = due
        self.state = state
        self.consumption = consumption
    }
}
