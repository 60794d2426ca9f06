package import PurchaseModel

extension ControlEndpoints {
    /// Reads the store's clock.
    package static let clock = Endpoint<Empty, ClockReply>(.get, "/control/v1/clock")
    /// Moves the store's clock forward; everything that becomes due in the interval takes effect in order.
    package static let advance = Endpoint<AdvanceRequest, ClockReply>(.post, "/control/v1/clock/advance")
    /// Stops the store's clock, changes its speed, or moves it to a date.
    package static let setClock = Endpoint<ClockRequest, ClockReply>(.post, "/control/v1/clock")
}

/// The state of the store's clock.
package struct ClockReply: Codable, Hashable, Sendable {
    /// The current date of the store.
    package var now: Timestamp
    /// The speed relative to the machine's clock; 0 while the store's clock is stopped.
    package var factor: Double
    /// The time rate of new subscriptions (`_timeRate`).
    package var timeRate: Int

    /// Creates a reply.
    package init(now: Timestamp, factor: Double = 1, timeRate: Int = 0) {
        self.now = now
        self.factor = factor
        self.timeRate = timeRate
    }
}

/// Changes to the store's clock.
///
/// Members that are nil stay unchanged.
package struct ClockRequest: Codable, Hashable, Sendable {
    /// The speed relative to the machine's clock; 1 for the same speed, 0 to stop.
    package var factor: Double?
    /// The date to move to, not in the past; everything that becomes due in the interval takes effect in order.
    package var now: Timestamp?
    /// The time rate of new subscriptions, as `_timeRate` in `.storekit` files; 0 for calendar periods.
    package var timeRate: Int?

    /// Creates a request.
    package init(factor: Double? = nil, now: Timestamp? = nil, timeRate: Int? = nil) {
        self.factor = factor
        self.now = now
        self.timeRate = timeRate
    }
}

/// A request to move the store's clock forward.
package struct AdvanceRequest: Codable, Hashable, Sendable {
    /// The number of seconds, from 0 to the length of ten years.
    package var seconds: Int64
    /// Whether this request continues the previous move: the store does not wait again for servers that did not respond in the previous
    /// move.
    package var isContinuation: Bool?

    /// Creates a request.
    package init(seconds: Int64, isContinuation: Bool? = nil) {
        self.seconds = seconds
        self.isContinuation = isContinuation
    }
}
