/// The store's time.
public struct ClockReply: Codable, Hashable, Sendable {
    /// Now, as the store sees it.
    public var now: Timestamp

    /// Creates a reply.
    public init(now: Timestamp) {
        self.now = now
    }
}
