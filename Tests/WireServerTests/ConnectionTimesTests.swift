import NIOCore
import Testing

@testable import WireServer

@Suite struct ConnectionTimesTests {
    private static let limits = ConnectionLimits(
        idle: .seconds(60), head: .seconds(10), body: .seconds(30), exchange: .seconds(90), bytesPerSecond: 1_000, stall: .seconds(5))

    /// Returns the time `seconds` seconds after the connection opened.
    private static func at(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64((1_000 + seconds) * 1e9))
    }

    private func times(_ limits: ConnectionLimits = limits) -> ConnectionTimes { ConnectionTimes(limits, at: Self.at(0)) }

    @Test func `a connection without data times out at the idle limit`() {
        var times = times()
        #expect(times.deadline == Self.at(60))
        #expect(times.overrun(unsent: 0, at: Self.at(59)) == nil)
        #expect(times.overrun(unsent: 0, at: Self.at(60)) == .idle)
    }

    @Test func `the time limit of a request head starts at the first byte`() {
        var times = times()
        for second in [20, 24, 29] { times.received(at: Self.at(Double(second))) }
        #expect(times.deadline == Self.at(30))
        #expect(times.overrun(unsent: 0, at: Self.at(30)) == .head)
    }

    @Test func `a body below the minimum rate times out`() {
        var times = times()
        times.headRead(at: Self.at(0))
        for _ in 0..<4 { times.bodyRead(1) }
        // At 1,000 bytes per second, four bytes extend the deadline by 4 ms.
        #expect(times.overrun(unsent: 0, at: Self.at(5)) == nil)
        #expect(times.overrun(unsent: 0, at: Self.at(5.01)) == .body)
    }

    @Test func `a body above the minimum rate times out at the body limit`() {
        var times = times()
        times.headRead(at: Self.at(0))
        for second in 1..<30 {
            times.bodyRead(2_000)
            #expect(times.overrun(unsent: 0, at: Self.at(Double(second))) == nil)
        }
        times.bodyRead(2_000)
        #expect(times.overrun(unsent: 0, at: Self.at(30)) == .body)
    }

    @Test func `a fast start of a body gives no credit for a later stall`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.bodyRead(1 << 20)
        #expect(times.overrun(unsent: 0, at: Self.at(5)) == nil)
        #expect(times.deadline == Self.at(10))
        #expect(times.overrun(unsent: 0, at: Self.at(10)) == .body)
    }

    @Test func `a pause in reading does not count against the rate of a body`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.readingPaused(at: Self.at(1))
        #expect(times.deadline == Self.at(90))
        times.readingResumed(at: Self.at(21))
        #expect(times.deadline == Self.at(25))
        #expect(times.overrun(unsent: 0, at: Self.at(25)) == .body)
    }

    @Test func `after the response, a pause in reading counts against the rate of a body`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.readingPaused(at: Self.at(1))
        times.responseBegan()
        times.responseEnded(at: Self.at(11))
        // The pause before the end of the response does not count.
        #expect(times.deadline == Self.at(15))
        times.readingPaused(at: Self.at(12))
        #expect(times.deadline == Self.at(15))
        times.readingResumed(at: Self.at(14))
        #expect(times.deadline == Self.at(15))
        #expect(times.overrun(unsent: 0, at: Self.at(15)) == .body)
    }

    @Test(arguments: [limits, .development])
    func `after the last output, the client must close the connection within the stall limit`(_ limits: ConnectionLimits) {
        for hasSecond in [false, true] {
            var times = times(limits)
            times.headRead(at: Self.at(0))
            times.endRead(at: Self.at(0))
            if hasSecond { times.headRead(at: Self.at(0)) }
            times.responseBegan()
            times.responseEnded(at: Self.at(1))
            times.outputEnded(at: Self.at(1))
            let end = Self.at(1) + TimeAmount(limits.stall)
            #expect(times.deadline == end)
            times.received(at: Self.at(2))
            times.headRead(at: Self.at(2))
            times.bodyRead(1 << 20)
            times.readingPaused(at: Self.at(2))
            times.endRead(at: Self.at(2))
            #expect(times.deadline == end)
            #expect(times.overrun(unsent: 0, at: end) == .idle)
        }
    }

    @Test func `the limit for closing starts when the client has read the last response`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.responseBegan()
        times.written(1_000_000, at: Self.at(1))
        times.responseEnded(at: Self.at(1))
        times.outputEnded(at: Self.at(1))
        #expect(times.overrun(unsent: 500_000, at: Self.at(6)) == nil)
        #expect(times.deadline == Self.at(11))
        #expect(times.overrun(unsent: 0, at: Self.at(11)) == nil)
        #expect(times.deadline == Self.at(16))
        #expect(times.overrun(unsent: 0, at: Self.at(16)) == .idle)
    }

    @Test func `a released body share returns to the budget only once`() async throws {
        let budget = BodyBudget(10)
        let share = BodyShare(of: budget)
        #expect(share.reserve(10) && !budget.reserve(1))
        share.releaseAll()
        share.releaseAll()
        #expect(budget.reserve(10) && !budget.reserve(1))
    }

    @Test func `a response must begin within the exchange limit, if there is one`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(1))
        #expect(times.overrun(unsent: 0, at: Self.at(90)) == .response)
        var unlimited = self.times(.development)
        unlimited.headRead(at: Self.at(0))
        unlimited.endRead(at: Self.at(1))
        #expect(unlimited.deadline == nil)
        #expect(unlimited.overrun(unsent: 0, at: Self.at(100_000)) == nil)
    }

    @Test func `a response that is read has no deadline, and one that is not read times out`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.responseBegan()
        #expect(times.deadline == nil)
        times.written(1_000_000, at: Self.at(1_000))
        #expect(times.overrun(unsent: 400_000, at: Self.at(1_005)) == nil)
        times.written(1_000_000, at: Self.at(1_006))
        #expect(times.overrun(unsent: 1_000_000, at: Self.at(1_010)) == nil)
        #expect(times.overrun(unsent: 999_990, at: Self.at(1_016)) == .reading)
    }

    @Test func `a completely read stream may stay silent without a deadline`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.responseBegan()
        times.written(300, at: Self.at(1))
        #expect(times.overrun(unsent: 0, at: Self.at(6)) == nil)
        #expect(times.deadline == nil)
    }

    @Test func `after a response the connection is idle again`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.responseBegan()
        times.responseEnded(at: Self.at(50))
        #expect(times.deadline == Self.at(110))
    }

    @Test func `connections are limited per address, and per 64-bit prefix for IPv6`() throws {
        let peers = PeerCount(2)
        #expect(
            peers.addConnection(by: "a") && peers.addConnection(by: "a") && !peers.addConnection(by: "a") && peers.addConnection(by: "b"))
        peers.removeConnection(by: "a")
        #expect(peers.addConnection(by: "a"))
        let names = try ["2001:db8:1:2:3::4", "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"].map {
            PeerCount.name(of: try SocketAddress(ipAddress: $0, port: 1))
        }
        #expect(names[0] == names[1] && names[1] != names[2])
    }
}
