/// How a customer came by the app.
public struct AppTransactionInfoResponse: Codable, Hashable, Sendable {
    /// The app transaction, signed when it was asked for.
    public var signedAppTransactionInfo: SignedAppTransaction

    /// Creates an answer.
    public init(signedAppTransactionInfo: SignedAppTransaction) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }
}
