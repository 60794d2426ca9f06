public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Reads the clock of a local store.
    package static let clock = Endpoint<Empty, ClockReply>(.get, "/control/v1/clock")
    /// Moves the store's clock forward; renewals and other events that become due in the interval take effect in order.
    package static let advance = Endpoint<AdvanceRequest, ClockReply>(.post, "/control/v1/clock/advance")
    /// Reads the dates of the next renewal and of the next end of a grace period; the query parameter is `account`.
    package static let schedule = Endpoint<Empty, ScheduleReply>(.get, "/control/v1/clock/schedule")
    /// Stops the clock of a local store, changes its speed, or moves it to a date.
    package static let setClock = Endpoint<ClockRequest, ClockReply>(.post, "/control/v1/clock")
}

/// The state of the clock of a local store.
public struct ClockReply: Codable, Hashable, Sendable {
    /// The current date of the store.
    public var now: Timestamp
    /// The speed of the store's clock relative to the machine's clock: 1 for the same speed, 0 while the store's clock is stopped.
    public var factor: Double
    /// The time rate of new subscriptions, as `_timeRate` in `.storekit` files; 0 for calendar periods.
    public var timeRate: Int
    /// The number of seconds by which the store charges a renewal before its period begins; nil if it charges when the period begins.
    public var chargeAhead: Int64?

    /// Creates a reply.
    package init(now: Timestamp, factor: Double = 1, timeRate: Int = 0, chargeAhead: Int64? = nil) {
        self.now = now
        self.factor = factor
        self.timeRate = timeRate
        self.chargeAhead = chargeAhead
    }
}

/// The dates of the next scheduled changes of subscriptions, to which tests advance the clock.
public struct ScheduleReply: Codable, Hashable, Sendable {
    /// The date of the next renewal; nil if no active subscription renews automatically.
    public var renewal: Timestamp?
    /// The date when the next billing grace period ends; nil if no subscription is in a grace period.
    public var gracePeriodEnd: Timestamp?

    /// Creates a reply.
    package init(renewal: Timestamp? = nil, gracePeriodEnd: Timestamp? = nil) {
        self.renewal = renewal
        self.gracePeriodEnd = gracePeriodEnd
    }
}

/// A request to change the clock of a local store.
///
/// Members that are nil stay unchanged.
package struct ClockRequest: Codable, Hashable, Sendable {
    /// The new speed of the store's clock relative to the machine's clock: 1 for the same speed, 0 to stop the store's clock.
    package var factor: Double?
    /// The date to which the clock moves, not before the store's current date.
    ///
    /// Renewals and other events that become due in the interval take effect in order.
    package var now: Timestamp?
    /// Whether the move to ``now`` continues the previous move; nil counts as false (``AdvanceRequest/isContinuation``).
    package var isContinuation: Bool?
    /// The time rate of new subscriptions, as `_timeRate` in `.storekit` files; 0 for calendar periods.
    package var timeRate: Int?
    /// The number of seconds, from 0 to 86,400, by which the store charges a renewal before its period begins; applies to all subscriptions.
    package var chargeAhead: Int64?

    /// Creates a request.
    package init(
        factor: Double? = nil, now: Timestamp? = nil, isContinuation: Bool? = nil, timeRate: Int? = nil, chargeAhead: Int64? = nil
    ) {
        self.factor = factor
        self.now = now
        self.isContinuation = isContinuation
        self.timeRate = timeRate
        self.chargeAhead = chargeAhead
    }
}

/// A request to move the store's clock forward.
package struct AdvanceRequest: Codable, Hashable, Sendable {
    /// The number of seconds by which the clock moves, from 0 to the length of ten years.
    package var seconds: Int64
    /// Whether this request continues the previous move; nil counts as false.
    ///
    /// If it does, the store does not wait again for notification servers that did not respond in the previous move.
    package var isContinuation: Bool?

    /// Creates a request.
    package init(seconds: Int64, isContinuation: Bool? = nil) {
        self.seconds = seconds
        self.isContinuation = isContinuation
    }
}
