import PurchaseModel
import PurchaseProtocol

extension LocalAppStore {
    /// Advances the store's time; each due event happens at its own time, and its notifications are sent at that time.
    ///
    /// The store waits only once for a server that does not respond, and records later attempts at their due times; see
    /// ``Notifier/duringTimeAdvance(isContinuation:_:)``.
    ///
    /// - Parameters:
    ///   - seconds: The seconds by which the time advances.
    ///   - isContinuation: Whether the call continues the client's previous advance, whose unresponsive servers are not tried again.
    /// - Throws: ``StoreError/advanceOutOfRange`` if the target is out of range, or ``StoreError/tooManyEvents`` if too many events are
    ///   due.
    func advance(seconds: Int64, isContinuation: Bool = false) async throws -> ClockReply {
        guard (0...StoreLedger.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = ledger.clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw StoreError.advanceOutOfRange }
        var eventCount = 0
        try await notifier.duringTimeAdvance(isContinuation: isContinuation) {
            while ledger.apps.all.contains(where: \.row.hasNotificationURL), eventCount < StoreLedger.eventLimit {
                try await notifier.deliver()
                guard let next = try await ledger.nextEventDate(after: ledger.clock.now, until: target) else { break }
                try await ledger.advanceToEvent(at: next)
                eventCount += 1
            }
        }
        // The remaining milliseconds are rounded up to seconds, so that the advance always reaches its target.
        let remaining = max(target.milliseconds - ledger.clock.now.milliseconds, 0)
        return try await ledger.advance(seconds: remaining / 1000 + (remaining % 1000 == 0 ? 0 : 1), requestedSeconds: seconds)
    }

    /// Changes the speed of the store's time or the time rate, or advances the time to a date as ``advance(seconds:isContinuation:)`` does.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        guard let target = request.now else { return try await ledger.set(request) }
        let (distance, overflow) = target.milliseconds.subtractingReportingOverflow(ledger.clock.now.milliseconds)
        guard !overflow, (0...StoreLedger.longestAdvance * 1000).contains(distance) else { throw StoreError.advanceOutOfRange }
        _ = try await ledger.set(request)
        // The milliseconds are rounded up to seconds, so that the advance always reaches its target.
        return try await advance(seconds: distance / 1000 + (distance % 1000 == 0 ? 0 : 1))
    }
}
