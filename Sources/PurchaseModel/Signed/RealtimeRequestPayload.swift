/// What the store asks for while a customer is about to cancel (Apple's `DecodedRealtimeRequestBody`).
public struct RealtimeRequestPayload: Codable, Hashable, Sendable {
    /// The first transaction of the subscription.
    public var originalTransactionId: TransactionID
    /// The app's number in the App Store.
    public var appAppleId: Int64?
    /// The product subscribed to.
    public var productId: ProductID
    /// The customer's language and region, such as `en_US`.
    public var userLocale: String
    /// The identifier of this request, a UUID.
    public var requestIdentifier: String
    /// Where the subscription was bought.
    public var environment: String
    /// When this request was signed.
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
