/// Asks for what an account has in an app, or for what changed since the last time.
public struct PurchasesRequest: Codable, Hashable, Sendable {
    /// Where the last answer ended (``PurchasesReply/cursor``); nil for everything.
    public var after: String?

    /// Creates a request.
    public init(after: String? = nil) {
        self.after = after
    }
}
