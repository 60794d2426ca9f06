import Foundation
public import PurchaseModel

/// Subscriptions.
extension AppStoreServerAPIClient {
    /// Requests the status of a customer's subscriptions in all subscription groups.
    ///
    /// Rate limit in production: 50 requests per second. Errors: `invalidTransactionId`, `transactionIdNotFound`, `accountNotFound`.
    ///
    /// Source: [Get All Subscription Statuses](https://developer.apple.com/documentation/appstoreserverapi/get-all-subscription-statuses).
    ///
    /// - Parameters:
    ///   - transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    ///   - status: The statuses to include; empty for all statuses.
    public func getAllSubscriptionStatuses(
        transactionId: TransactionID, status: [SubscriptionStatus] = []
    ) async throws(AppStoreServerAPIError) -> StatusResponse {
        var query = ServerAPIQuery()
        for status in status { query.add("status", status.rawValue) }
        return try await call(ServerAPIRequest(.subscriptionStatuses, ["transactionId": transactionId.rawValue], query: query))
    }

    /// Extends the renewal date of one subscription by 1 to 90 days, at most twice within 365 days.
    ///
    /// A repeated call extends the renewal date again, so the client repeats the request only if the App Store evidently did not process it.
    /// After an error whose ``AppStoreServerAPIError/mayHaveBeenProcessed`` is true, compare the renewal date in
    /// ``getAllSubscriptionStatuses(transactionId:status:)`` before you call again. Rate limit in production: 20 requests per second.
    /// Errors: `subscriptionExtensionIneligible`, `subscriptionMaxExtension`, `familySharedSubscriptionExtensionIneligible`,
    /// `originalTransactionIdNotFound`, and an error for each invalid field.
    ///
    /// Source:
    /// [Extend a Subscription Renewal Date](https://developer.apple.com/documentation/appstoreserverapi/extend-a-subscription-renewal-date).
    public func extendSubscriptionRenewalDate(
        originalTransactionId: TransactionID, extendRenewalDateRequest: ExtendRenewalDateRequest
    ) async throws(AppStoreServerAPIError) -> ExtendRenewalDateResponse {
        try await call(
            ServerAPIRequest(
                .extendRenewalDate, ["transactionId": originalTransactionId.rawValue], body: extendRenewalDateRequest))
    }

    /// Requests the extension of the renewal dates of all active subscriptions to a product.
    ///
    /// The App Store extends the dates later, and sends the notification `RENEWAL_EXTENSION`. A request with the same identifier has no
    /// further effect. Rate limit in production: 1 request per second. Errors: `invalidProductId`, and an error for each invalid field.
    ///
    /// Source: [Extend Subscription Renewal Dates for All Active Subscribers][page].
    ///
    /// [page]: https://developer.apple.com/documentation/appstoreserverapi/extend-subscription-renewal-dates-for-all-active-subscribers
    public func extendRenewalDateForAllActiveSubscribers(
        massExtendRenewalDateRequest: MassExtendRenewalDateRequest
    ) async throws(AppStoreServerAPIError) -> MassExtendRenewalDateResponse {
        try await call(ServerAPIRequest(.massExtendRenewalDates, body: massExtendRenewalDateRequest))
    }

    /// Requests the progress of an extension of many renewal dates.
    ///
    /// Errors: `invalidProductId`, `invalidRequestIdentifier`, `statusRequestNotFound`.
    ///
    /// Source: [Get Status of Subscription Renewal Date Extensions][page].
    ///
    /// [page]: https://developer.apple.com/documentation/appstoreserverapi/get-status-of-subscription-renewal-date-extensions
    ///
    /// - Parameters:
    ///   - requestIdentifier: The UUID of the request.
    ///   - productId: The product of the request.
    public func getStatusOfSubscriptionRenewalDateExtensions(
        requestIdentifier: String, productId: ProductID
    ) async throws(AppStoreServerAPIError) -> MassExtendRenewalDateStatusResponse {
        try await call(
            ServerAPIRequest(
                .massExtensionStatus, ["productId": productId.rawValue, "requestIdentifier": requestIdentifier]))
    }
}
