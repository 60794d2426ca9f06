/// The payload of a realtime request (Apple's `DecodedRealtimeRequestBody`).
///
/// The store sends the request to the developer's server while a customer is about to cancel a subscription.
public struct RealtimeRequestPayload: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The app's Apple ID in the App Store.
    public var appAppleId: Int64?
    /// The identifier of the subscription's current product.
    public var productId: ProductID
    /// The customer's language and region, such as `en_US`.
    public var userLocale: String
    /// The identifier of the realtime request, a UUID.
    public var requestIdentifier: String
    /// The server environment of the subscription.
    public var environment: String
    /// The date when the store signed the request.
    public var signedDate: Timestamp

    /// Creates the payload of a realtime request.
    public init(
        originalTransactionId: TransactionID,
        productId: ProductID,
        userLocale: String,
        requestIdentifier: String,
        environment: String,
        signedDate: Timestamp
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.userLocale = userLocale
        self.requestIdentifier = requestIdentifier
        self.environment = environment
        self.signedDate = signedDate
    }
}
