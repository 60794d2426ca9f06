import PurchaseModel
import PurchaseProtocol

extension LocalAppStore {
    /// Advances the store's time; each due event happens at its own time and is reported to developers' servers at that time.
    ///
    /// The notifier waits only once for a server that does not respond, and still records attempts at their due times; see
    /// ``Notifier/duringTimeAdvance(isContinuation:_:)``.
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
        // The distance is rounded up, so that the advance always reaches its target.
        let remaining = max(target.milliseconds - ledger.clock.now.milliseconds, 0)
        return try await ledger.advance(seconds: remaining / 1000 + (remaining % 1000 == 0 ? 0 : 1), requestedSeconds: seconds)
    }

    /// Changes the speed of the store's time, or advances to a date as ``advance(seconds:)`` does.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        guard let target = request.now else { return try await ledger.set(request) }
        let (distance, overflow) = target.milliseconds.subtractingReportingOverflow(ledger.clock.now.milliseconds)
        guard !overflow, (0...StoreLedger.longestAdvance * 1000).contains(distance) else { throw StoreError.advanceOutOfRange }
        _ = try await ledger.set(request)
        // The distance is rounded up, so that the advance always reaches its target.
        return try await advance(seconds: distance / 1000 + (distance % 1000 == 0 ? 0 : 1))
    }
}
