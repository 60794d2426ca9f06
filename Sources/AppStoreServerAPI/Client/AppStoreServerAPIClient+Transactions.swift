import Foundation
public import PurchaseModel

/// The version of the Get Transaction History endpoint.
public enum GetTransactionHistoryVersion: Hashable, Sendable {
    /// The history without finished consumables, except for those that were refunded or revoked; deprecated by Apple.
    case v1
    /// The complete history.
    case v2
}

/// Transactions.
extension AppStoreServerAPIClient {
    /// Requests one transaction.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `invalidTransactionId`, `appTransactionIdNotSupported`,
    /// `transactionIdNotFound`.
    ///
    /// Source: [Get Transaction Info](https://developer.apple.com/documentation/appstoreserverapi/get-transaction-info).
    ///
    /// - Parameter transactionId: A transaction identifier, which may be an original one.
    public func getTransactionInfo(transactionId: TransactionID) async throws(AppStoreServerAPIError) -> TransactionInfoResponse {
        try await call(ServerAPIRequest(.transactionInfo, ["transactionId": transactionId.rawValue]))
    }

    /// Requests one page of a customer's transactions, at most twenty.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `transactionIdNotFound`, `accountNotFound`, `invalidRequestRevision` if the
    /// revision belongs to other filters, and an error for each invalid filter.
    ///
    /// Source: [Get Transaction History](https://developer.apple.com/documentation/appstoreserverapi/get-transaction-history).
    ///
    /// - Parameters:
    ///   - transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    ///   - revision: The revision from the page before; nil for the first page.
    ///   - transactionHistoryRequest: The filters and the sort order, which must be the same for each page.
    ///   - version: The version of the endpoint.
    public func getTransactionHistory(
        transactionId: TransactionID, revision: String? = nil, transactionHistoryRequest: TransactionHistoryRequest = .init(),
        version: GetTransactionHistoryVersion = .v2
    ) async throws(AppStoreServerAPIError) -> HistoryResponse {
        let endpoint: ServerAPIEndpoint =
            switch version {
            case .v1: .transactionHistoryV1
            case .v2: .transactionHistory
            }
        return try await call(
            ServerAPIRequest(
                endpoint, ["transactionId": transactionId.rawValue], query: transactionHistoryRequest.query(revision: revision)))
    }

    /// Requests a customer's transactions page by page.
    ///
    /// In ascending order, the `revision` of the last page can be stored, and passed later to request only what changed since then.
    ///
    /// - Parameters:
    ///   - transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    ///   - revision: The revision after which the pages begin; nil for the beginning of the history.
    ///   - transactionHistoryRequest: The filters and the sort order.
    ///   - version: The version of the endpoint.
    public func transactionHistory(
        transactionId: TransactionID, after revision: String? = nil, transactionHistoryRequest: TransactionHistoryRequest = .init(),
        version: GetTransactionHistoryVersion = .v2
    ) -> ServerAPIPages<HistoryResponse> {
        ServerAPIPages(after: revision, hasMore: \.hasMore, token: \.revision) { (revision) async throws(AppStoreServerAPIError) in
            try await self.getTransactionHistory(
                transactionId: transactionId, revision: revision, transactionHistoryRequest: transactionHistoryRequest, version: version)
        }
    }

    /// Requests a customer's app transaction, which states the first installation of the app.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `invalidTransactionId`, `transactionIdNotFound`,
    /// `appTransactionDoesNotExist`.
    ///
    /// Source: [Get App Transaction Info](https://developer.apple.com/documentation/appstoreserverapi/get-app-transaction-info).
    ///
    /// - Parameter transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    public func getAppTransactionInfo(transactionId: TransactionID) async throws(AppStoreServerAPIError) -> AppTransactionInfoResponse {
        try await call(ServerAPIRequest(.appTransactionInfo, ["transactionId": transactionId.rawValue]))
    }

    /// Requests the purchases that belong to the order identifier on a customer's invoice; in production only.
    ///
    /// Rate limit in production: 10 requests per second. An unknown order is not an error: the response has the status 1.
    ///
    /// Source: [Look Up Order ID](https://developer.apple.com/documentation/appstoreserverapi/look-up-order-id).
    public func lookUpOrderId(orderId: String) async throws(AppStoreServerAPIError) -> OrderLookupResponse {
        try await call(ServerAPIRequest(.lookUpOrder, ["orderId": orderId]))
    }

    /// Sets the app account token of a purchase; for a subscription, of its current and later periods.
    ///
    /// Rate limit in production: 20 requests per second. Errors: `invalidAppAccountTokenUUID`, `familyTransactionNotSupported`,
    /// `transactionIdIsNotOriginalTransactionId`, `originalTransactionIdNotFound`.
    ///
    /// Source: [Set App Account Token](https://developer.apple.com/documentation/appstoreserverapi/set-app-account-token).
    public func setAppAccountToken(
        originalTransactionId: TransactionID, updateAppAccountTokenRequest: AppAccountTokenRequest
    ) async throws(AppStoreServerAPIError) {
        try await perform(
            ServerAPIRequest(
                .setAppAccountToken, ["transactionId": originalTransactionId.rawValue], body: updateAppAccountTokenRequest))
    }

    /// Finishes a transaction that was delivered, as `finish()` does in the app.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `invalidTransactionId`, `appTransactionIdNotSupported`,
    /// `transactionIdNotFound`.
    ///
    /// Source: [Finish Transaction](https://developer.apple.com/documentation/appstoreserverapi/finish-transaction).
    public func finishTransaction(transactionId: TransactionID) async throws(AppStoreServerAPIError) {
        try await perform(ServerAPIRequest(.finishTransaction, ["transactionId": transactionId.rawValue]))
    }
}
