/// Asks for what a device still has to deal with, a page at a time.
public struct UnfinishedRequest: Codable, Hashable, Sendable {
    /// Where the last page ended (``UnfinishedReply/next``); nil for the first.
    public var after: String?

    /// Creates a request.
    public init(after: String? = nil) {
        self.after = after
    }
}
