import PurchaseModel
import PurchaseProtocol

extension LocalAppStore {
    /// Moves the time forward; what falls due on the way happens at its own time, and is told to developers' servers then.
    ///
    /// A server that does not answer is waited for once, and attempts are kept at their due times all the same; see
    /// ``Notifier/whileTimeMoves(isContinued:_:)``.
    func advance(seconds: Int64, isContinued: Bool = false) async throws -> ClockReply {
        guard (0...StoreLedger.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = ledger.clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw StoreError.advanceOutOfRange }
        var stops = 0
        try await notifier.whileTimeMoves(isContinued: isContinued) {
            while ledger.apps.all.contains(where: \.row.hasNotificationURL), stops < StoreLedger.eventLimit {
                try await notifier.deliver()
                guard let next = try await ledger.nextStop(after: ledger.clock.now, until: target) else { break }
                try await ledger.stop(at: next)
                stops += 1
            }
        }
        // Rounded up, so that the jump is never short of its target.
        let rest = max(target.milliseconds - ledger.clock.now.milliseconds, 0)
        return try await ledger.advance(seconds: rest / 1000 + (rest % 1000 == 0 ? 0 : 1), asked: seconds)
    }

    /// Changes how the time goes, or jumps to a date as ``advance(seconds:)`` does.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        guard let target = request.now else { return try await ledger.set(request) }
        let (distance, overflow) = target.milliseconds.subtractingReportingOverflow(ledger.clock.now.milliseconds)
        guard !overflow, (0...StoreLedger.longestAdvance * 1000).contains(distance) else { throw StoreError.advanceOutOfRange }
        _ = try await ledger.set(request)
        // Rounded up, so that the jump is never short of its target.
        return try await advance(seconds: distance / 1000 + (distance % 1000 == 0 ? 0 : 1))
    }
}
