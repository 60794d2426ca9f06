package import PurchaseModel

extension ControlEndpoints {
    /// The store's time.
    package static let clock = Endpoint<Empty, ClockReply>(.get, "/control/v1/clock")
    /// Moves the store's time forward; everything that falls due on the way happens in order.
    package static let advance = Endpoint<AdvanceRequest, ClockReply>(.post, "/control/v1/clock/advance")
    /// Stops the store's time, makes it go faster, or jumps to a date.
    package static let setClock = Endpoint<ClockRequest, ClockReply>(.post, "/control/v1/clock")
}

/// The store's time.
package struct ClockReply: Codable, Hashable, Sendable {
    /// Now, as the store sees it.
    package var now: Timestamp
    /// How much faster than the machine's clock it goes; 0 while it stands still.
    package var factor: Double
    /// The `_timeRate` by which new subscriptions go.
    package var timeRate: Int

    /// Creates a reply.
    package init(now: Timestamp, factor: Double = 1, timeRate: Int = 0) {
        self.now = now
        self.factor = factor
        self.timeRate = timeRate
    }
}

/// How the store's time is to go from now on; what is nil stays.
package struct ClockRequest: Codable, Hashable, Sendable {
    /// How much faster than the machine's clock; 1 for its speed, 0 to stop.
    package var factor: Double?
    /// A moment to jump to, not in the past; everything on the way happens in order.
    package var now: Timestamp?
    /// The `_timeRate` of `.storekit` files: how long the periods of new subscriptions take; 0 for the calendar.
    package var timeRate: Int?

    /// Creates a request.
    package init(factor: Double? = nil, now: Timestamp? = nil, timeRate: Int? = nil) {
        self.factor = factor
        self.now = now
        self.timeRate = timeRate
    }
}

/// How far to move the store's time.
package struct AdvanceRequest: Codable, Hashable, Sendable {
    /// Seconds, from 0 to those of ten years.
    package var seconds: Int64
    /// Whether this is a further part of the move before: servers that were silent in it are not waited for again.
    package var continues: Bool?

    /// Creates a request.
    package init(seconds: Int64, continues: Bool? = nil) {
        self.seconds = seconds
        self.continues = continues
    }
}
