/// The payload of the request that the store sends while a customer is about to cancel (Apple's `DecodedRealtimeRequestBody`).
public struct RealtimeRequestPayload: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The app's Apple ID in the App Store.
    public var appAppleId: Int64?
    /// The identifier of the current product.
    public var productId: ProductID
    /// The customer's language and region, such as `en_US`.
    public var userLocale: String
    /// The identifier of this request, a UUID.
    public var requestIdentifier: String
    /// The server environment of the subscription.
    public var environment: String
    /// The date of the signature.
    public var signedDate: Timestamp

    /// Creates a request.
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
