public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// The number of seconds by which one request advances the store's time, so that each request ends within the client's timeout.
    private static let slice: Int64 = 30 * 86_400
    /// The number of days by which the store's time can advance.
    private static let limit: Int64 = 3_653

    /// Reads the store's time and the speed of its clock.
    ///
    /// - Returns: The state of the clock.
    public func clock() async throws(StoreControlError) -> ClockReply {
        try await call(ControlEndpoints.clock)
    }

    /// Advances the store's time; renewals and other events that become due take effect in order.
    ///
    /// The client sends one request for every 30 days, so that after an error the time may have advanced by a part.
    ///
    /// - Parameter seconds: The number of seconds, from 0 to the length of ten years.
    /// - Returns: The state of the clock after the advance.
    /// - Throws: `refused` with the code `clock.out-of-range` for a negative number or more than ten years.
    @discardableResult
    public func advance(seconds: Int64) async throws(StoreControlError) -> ClockReply {
        try await advance(seconds: seconds, report: { _ in })
    }

    /// Advances the store's time, and calls `report` after each request except the last one.
    package func advance(seconds: Int64, report: (ClockReply) -> Void) async throws(StoreControlError) -> ClockReply {
        // The store refuses more than ten years, before its time advances by a part.
        var (rest, continues) = (seconds, false)
        while rest > Self.slice, seconds <= Self.limit * 86_400 {
            let reply = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: Self.slice, isContinuation: continues))
            (rest, continues) = (rest - Self.slice, true)
            report(reply)
        }
        return try await call(ControlEndpoints.advance, AdvanceRequest(seconds: rest, isContinuation: continues))
    }

    /// Advances the store's time by a number of days of 24 hours, with one request for every 30 days.
    ///
    /// - Parameter days: The number of days, from 0 to the length of ten years.
    /// - Returns: The state of the clock after the advance.
    /// - Throws: `refused` with the code `clock.out-of-range` for a negative number or more than ten years.
    @discardableResult
    public func advance(days: Int64) async throws(StoreControlError) -> ClockReply {
        let (seconds, overflow) = days.multipliedReportingOverflow(by: 86_400)
        return try await advance(seconds: overflow ? (days < 0 ? .min : .max) : seconds)
    }

    /// Advances the store's time by a calendar period, such as a month (`BillingPeriod(1, .month)`).
    ///
    /// The client reads the store's time, and sends the requests of ``advance(to:)``.
    ///
    /// - Parameter period: The period, in the Gregorian calendar and in UTC, as that of a subscription.
    /// - Returns: The state of the clock after the advance.
    /// - Throws: `refused` with the code `clock.out-of-range` for more than ten years.
    @discardableResult
    public func advance(by period: BillingPeriod) async throws(StoreControlError) -> ClockReply {
        try await advance(to: period.end(after: try await clock().now))
    }

    /// Advances the store's time by calendar months, with which monthly subscriptions renew.
    ///
    /// The client reads the store's time, and sends the requests of ``advance(to:)``.
    ///
    /// - Parameter months: The number of months, from 1 to 120.
    /// - Returns: The state of the clock after the advance.
    /// - Throws: `invalidRequest` for another number.
    @discardableResult
    public func advance(months: Int) async throws(StoreControlError) -> ClockReply {
        guard (1...120).contains(months), let period = BillingPeriod(months, .month) else { throw .invalidRequest("months: \(months)") }
        return try await advance(by: period)
    }

    /// Advances the store's time to a date; renewals and other events that become due take effect in order.
    ///
    /// The client reads the store's time, and sends one request for every 30 days, so that after an error the time may have advanced by a
    /// part.
    ///
    /// - Parameter date: The date, not before the store's time and at most ten years after it.
    /// - Returns: The state of the clock after the advance.
    /// - Throws: `refused` with the code `clock.out-of-range` for an earlier or a later date.
    @discardableResult
    public func advance(to date: Timestamp) async throws(StoreControlError) -> ClockReply {
        try await advance(to: date, report: { _ in })
    }

    /// Advances the store's time to a date, and calls `report` after each request except the last one.
    package func advance(to date: Timestamp, report: (ClockReply) -> Void) async throws(StoreControlError) -> ClockReply {
        var now = try await clock().now
        // The store refuses a date beyond ten years; its time does not advance before the refusal.
        let isNear = date <= now.adding(days: Self.limit)
        var continues = false
        while isNear, now.adding(seconds: Self.slice) < date {
            let reply = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: Self.slice, isContinuation: continues))
            (now, continues) = (reply.now, true)
            report(reply)
        }
        return try await call(ControlEndpoints.setClock, ClockRequest(now: date, isContinuation: continues ? true : nil))
    }

    /// Reads the dates of the next renewal and of the next end of a grace period, for ``advance(to:)``.
    ///
    /// - Parameter account: The account whose subscriptions count; nil for all accounts.
    /// - Returns: The dates; nil for a change that no subscription has ahead.
    public func schedule(of account: AccountID? = nil) async throws(StoreControlError) -> ScheduleReply {
        try await call(ControlEndpoints.schedule, query: account.map { ["account": $0.rawValue] } ?? [:])
    }

    /// Changes the speed of the store's clock, and how subscriptions renew; values that are nil stay unchanged.
    ///
    /// - Parameters:
    ///   - factor: The speed of the store's clock relative to the machine's clock: 1 for the same speed, 0 to stop the clock.
    ///   - timeRate: The time rate of new subscriptions, as `_timeRate` in `.storekit` files; 0 for calendar periods.
    ///   - chargeAhead: The number of seconds, from 0 to 86,400, by which the store charges a renewal before its period begins.
    /// - Returns: The state of the clock after the change.
    /// - Throws: `refused` with the code `request.invalid-value` for a value out of its range.
    @discardableResult
    public func setClock(
        factor: Double? = nil, timeRate: Int? = nil, chargeAhead: Int64? = nil
    ) async throws(StoreControlError) -> ClockReply {
        try await call(ControlEndpoints.setClock, ClockRequest(factor: factor, timeRate: timeRate, chargeAhead: chargeAhead))
    }
}
