public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// Refunds a transaction; a repeated request changes nothing.
    ///
    /// - Parameters:
    ///   - transaction: The transaction identifier.
    ///   - reason: The revocation reason: 1 for an issue with the app, otherwise 0.
    ///   - percentage: The refunded part of the price in thousandths of a percent, from 1 to 100,000; nil for the full price.
    ///   - seats: The number of seats to refund; nil for all seats of the transaction.
    /// - Returns: Whether the transaction was refunded now; false if it was refunded before.
    /// - Throws: `refused` with the code `transaction.unknown` for a transaction that does not exist, and with `refund.not-charged` for one
    ///   without a charge.
    @discardableResult
    public func refund(
        _ transaction: TransactionID, reason: Int = 0, percentage: Int? = nil, seats: Int? = nil
    ) async throws(StoreControlError) -> Bool {
        let request = IssueRefund(transactionID: transaction, reason: reason, percentage: percentage, seats: seats)
        return try await !call(ControlEndpoints.refund, request).isRepeated
    }

    /// Reverses the refund of a transaction.
    ///
    /// - Parameter transaction: The identifier of the refunded transaction.
    /// - Throws: `refused` with the code `refund.not-refunded` for a transaction that is not refunded.
    public func reverseRefund(of transaction: TransactionID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: transaction))
    }

    /// Requests a refund for a customer; the store then requests consumption information from the developer's server.
    ///
    /// - Parameters:
    ///   - transaction: The transaction identifier.
    ///   - reason: The customer's reason.
    /// - Returns: The refund request, which awaits a decision.
    /// - Throws: `refused` with the code `refund-request.duplicate` if a request for the transaction exists.
    @discardableResult
    public func requestRefund(
        of transaction: TransactionID, reason: ConsumptionRequestReason = .other
    ) async throws(StoreControlError) -> RefundRequestDescription {
        try await call(ControlEndpoints.requestRefund, RefundRequest(transactionID: transaction, reason: reason))
    }

    /// Lists the refund requests.
    ///
    /// - Returns: The refund requests, oldest first, with their states.
    public func refundRequests() async throws(StoreControlError) -> [RefundRequestDescription] {
        try await call(ControlEndpoints.refundRequests).requests
    }

    /// Approves a refund request, which refunds the transaction, or declines it.
    ///
    /// - Parameters:
    ///   - request: The identifier of the refund request.
    ///   - approve: Whether the request is approved; otherwise it is declined.
    /// - Throws: `refused` with the code `refund-request.unknown` for a request that does not exist, and with `approval.decided` for one with
    ///   a different decision.
    public func decideRefundRequest(_ request: Int64, approve: Bool) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.decideRefund, DecisionRequest(approve: approve), ["request": "\(request)"])
    }
}
