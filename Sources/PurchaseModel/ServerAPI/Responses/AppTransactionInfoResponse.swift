/// A response with a customer's app transaction.
public struct AppTransactionInfoResponse: Codable, Hashable, Sendable {
    /// The app transaction, signed at the time of the request.
    public var signedAppTransactionInfo: SignedAppTransaction

    /// Creates a response.
    public init(signedAppTransactionInfo: SignedAppTransaction) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }
}
