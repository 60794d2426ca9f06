import PurchaseModel
import StoreProtocol

extension LocalAppStore {
    /// Advances the store's time; each due event happens at its own time, and its notifications are sent at that time.
    ///
    /// The store waits only once for a server that does not respond, and records later attempts at their due times; see
    /// ``NotificationSender/duringTimeAdvance(isContinuation:_:)``.
    ///
    /// - Parameters:
    ///   - seconds: The seconds by which the time advances.
    ///   - isContinuation: Whether the call continues the client's previous advance, whose unresponsive servers are not tried again.
    /// - Throws: ``ClockError/advanceOutOfRange`` if the target is out of range, or ``ClockError/tooManyEvents`` if too many events are
    ///   due.
    func advance(seconds: Int64, isContinuation: Bool = false) async throws -> ClockReply {
        guard (0...ClockService.longestAdvance).contains(seconds) else { throw ClockError.advanceOutOfRange }
        let target = context.clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw ClockError.advanceOutOfRange }
        var eventCount = 0
        try await notificationSender.duringTimeAdvance(isContinuation: isContinuation) {
            while context.apps.all.contains(where: \.row.hasNotificationURL), eventCount < DueEventService.eventLimit {
                try await notificationSender.deliver()
                guard let next = try await context.dueEvents.nextEventDate(after: context.clock.now, until: target) else { break }
                try await context.time.advanceToEvent(at: next)
                eventCount += 1
            }
        }
        // The remaining milliseconds are rounded up to seconds, so that the advance always reaches its target.
        let remaining = max(target.milliseconds - context.clock.now.milliseconds, 0)
        return try await context.time.advance(seconds: remaining / 1000 + (remaining % 1000 == 0 ? 0 : 1), requestedSeconds: seconds)
    }

    /// Changes the speed of the store's time or the time rate, or advances the time to a date as ``advance(seconds:isContinuation:)`` does.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        guard let target = request.now else { return try await context.time.set(request) }
        let (distance, overflow) = target.milliseconds.subtractingReportingOverflow(context.clock.now.milliseconds)
        guard !overflow, (0...ClockService.longestAdvance * 1000).contains(distance) else { throw ClockError.advanceOutOfRange }
        _ = try await context.time.set(request)
        // The milliseconds are rounded up to seconds, so that the advance always reaches its target.
        let seconds = distance / 1000 + (distance % 1000 == 0 ? 0 : 1)
        return try await advance(seconds: seconds, isContinuation: request.isContinuation == true)
    }
}
