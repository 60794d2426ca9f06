import Foundation
public import PurchaseModel

/// Refunds and consumption information.
extension AppStoreServerAPIClient {
    /// Requests one page of a customer's refunded transactions, at most twenty, earliest refund first.
    ///
    /// Rate limit in production: 10 requests per second. Errors: `invalidTransactionId`, `invalidRequestRevision`, `transactionIdNotFound`.
    ///
    /// Source: [Get Refund History](https://developer.apple.com/documentation/appstoreserverapi/get-refund-history).
    ///
    /// - Parameters:
    ///   - transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    ///   - revision: The revision from the page before; nil for the first page.
    public func getRefundHistory(
        transactionId: TransactionID, revision: String? = nil
    ) async throws(AppStoreServerAPIError) -> RefundHistoryResponse {
        var query = ServerAPIQuery()
        query.add("revision", revision)
        return try await call(ServerAPIRequest(.refundHistory, ["transactionId": transactionId.rawValue], query: query))
    }

    /// Requests a customer's refunded transactions page by page.
    ///
    /// - Parameters:
    ///   - transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    ///   - revision: The revision after which the pages begin; nil for the earliest refund.
    public func refundHistory(transactionId: TransactionID, after revision: String? = nil) -> ServerAPIPages<RefundHistoryResponse> {
        ServerAPIPages(after: revision, hasMore: \.hasMore, token: \.revision) { (revision) async throws(AppStoreServerAPIError) in
            try await self.getRefundHistory(transactionId: transactionId, revision: revision)
        }
    }

    /// Requests a customer's newest refunded transactions, at most fifty; deprecated by Apple in favor of
    /// ``getRefundHistory(transactionId:revision:)``.
    ///
    /// Rate limit in production: 10 requests per second. Errors: `invalidOriginalTransactionId`, `originalTransactionIdNotFound`.
    ///
    /// Source: [Get Refund History V1](https://developer.apple.com/documentation/appstoreserverapi/get-refund-history-v1).
    public func getRefundHistoryV1(originalTransactionId: TransactionID) async throws(AppStoreServerAPIError) -> RefundLookupResponse {
        try await call(ServerAPIRequest(.refundHistoryV1, ["transactionId": originalTransactionId.rawValue]))
    }

    /// Sends information about the consumption of a purchase whose refund the customer requested.
    ///
    /// Send it within 12 hours after the notification `CONSUMPTION_REQUEST`, and only with the customer's consent. Rate limit in
    /// production: 50 requests per second. Errors: `transactionIdNotFound`, `familyTransactionNotSupported`, and an error for each invalid
    /// field.
    ///
    /// Source: [Send Consumption Information](https://developer.apple.com/documentation/appstoreserverapi/send-consumption-information).
    public func sendConsumptionInformation(
        transactionId: TransactionID, consumptionRequest: ConsumptionRequest
    ) async throws(AppStoreServerAPIError) {
        try await perform(
            ServerAPIRequest(.sendConsumption, ["transactionId": transactionId.rawValue], body: consumptionRequest))
    }

    /// Sends information about the consumption of a purchase in the numeric format; deprecated by Apple in favor of
    /// ``sendConsumptionInformation(transactionId:consumptionRequest:)``.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `transactionIdNotFound`, `invalidTransactionTypeNotSupported`, and an error
    /// for each invalid field.
    ///
    /// Source: [Send Consumption Information V1](https://developer.apple.com/documentation/appstoreserverapi/send-consumption-information-v1).
    public func sendConsumptionData(
        transactionId: TransactionID, consumptionRequest: ConsumptionRequestV1
    ) async throws(AppStoreServerAPIError) {
        try await perform(
            ServerAPIRequest(.sendConsumptionV1, ["transactionId": transactionId.rawValue], body: consumptionRequest))
    }
}
