import ArgumentParser
import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// The number of seconds by which one call advances the time.
    ///
    /// Between two calls the command reports progress and can be stopped.
    private static let slice: Int64 = 30 * 86_400

    /// Advances the time, by at most 30 days per call.
    func advance(seconds: Int64) async throws(ExitCode) -> ClockReply {
        var (rest, continues) = (seconds, false)
        while rest > Self.slice {
            let reply = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: Self.slice, continues: continues))
            (rest, continues) = (rest - Self.slice, true)
            Self.tell(reply)
        }
        return try await call(ControlEndpoints.advance, AdvanceRequest(seconds: rest, continues: continues))
    }

    /// Advances the time to a date, by at most 30 days per call.
    ///
    /// A date beyond the store's limit is refused before the first call.
    func jump(to date: Timestamp) async throws(ExitCode) -> ClockReply {
        var now = try await call(ControlEndpoints.clock).now
        let isNear = date <= now.adding(days: 3_653)
        var continues = false
        while isNear, now.adding(seconds: Self.slice) < date {
            let reply = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: Self.slice, continues: continues))
            (now, continues) = (reply.now, true)
            Self.tell(reply)
        }
        return try await call(ControlEndpoints.setClock, ClockRequest(now: date))
    }

    /// Reports the store's time on standard error.
    private static func tell(_ reply: ClockReply) {
        StandardError.line("\(reply.now)")
    }
}
