import ArgumentParser
import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// How far one call moves the time: between two calls the command says where it is and can be stopped.
    private static let slice: Int64 = 30 * 86_400

    /// Moves the time forward, a month a call.
    func advance(seconds: Int64) async throws(ExitCode) -> ClockReply {
        var (rest, continues) = (seconds, false)
        while rest > Self.slice {
            let reply = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: Self.slice, continues: continues))
            (rest, continues) = (rest - Self.slice, true)
            Self.tell(reply)
        }
        return try await call(ControlEndpoints.advance, AdvanceRequest(seconds: rest, continues: continues))
    }

    /// Moves the time to a date, a month a call; where that is further than the store goes it says so at once.
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

    /// Says on standard error where the time is.
    private static func tell(_ reply: ClockReply) {
        StandardError.line("\(reply.now)")
    }
}
