/// How the store's time is to go from now on; what is nil stays.
public struct ClockRequest: Codable, Hashable, Sendable {
    /// How much faster than the machine's clock; 1 for its speed, 0 to stop.
    public var factor: Double?
    /// A moment to jump to, not in the past; everything on the way happens in order.
    public var now: Timestamp?
    /// The `_timeRate` of `.storekit` files: how long the periods of new subscriptions take; 0 for the calendar.
    public var timeRate: Int?

    /// Creates a request.
    public init(factor: Double? = nil, now: Timestamp? = nil, timeRate: Int? = nil) {
        self.factor = factor
        self.now = now
        self.timeRate = timeRate
    }
}
