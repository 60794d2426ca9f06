/// That an account got an app.
public struct AppTransactionReply: Codable, Hashable, Sendable {
    /// What the store signed.
    public var appTransaction: SignedAppTransaction

    /// Creates a reply.
    public init(appTransaction: SignedAppTransaction) {
        self.appTransaction = appTransaction
    }
}
