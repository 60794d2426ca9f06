/// The store's time.
public struct ClockReply: Codable, Hashable, Sendable {
    /// Now, as the store sees it.
    public var now: Timestamp
    /// How much faster than the machine's clock it goes; 0 while it stands still.
    public var factor: Double
    /// The `_timeRate` by which new subscriptions go.
    public var timeRate: Int

    /// Creates a reply.
    public init(now: Timestamp, factor: Double = 1, timeRate: Int = 0) {
        self.now = now
        self.factor = factor
        self.timeRate = timeRate
    }
}
