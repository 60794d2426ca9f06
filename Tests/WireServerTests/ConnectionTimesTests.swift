import NIOCore
import PurchaseModel
import Testing

@testable import WireServer

@Suite struct ConnectionTimesTests {
    private static let limits = ConnectionLimits(
        idle: .seconds(60), head: .seconds(10), body: .seconds(30), exchange: .seconds(90), bytesPerSecond: 1_000, stall: .seconds(5))

    /// A moment after the connection was opened.
    private static func at(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64((1_000 + seconds) * 1e9))
    }

    private func times(_ limits: ConnectionLimits = limits) -> ConnectionTimes { ConnectionTimes(limits, at: Self.at(0)) }

    @Test func `a connection that sends nothing ends when it was idle too long`() {
        var times = times()
        #expect(times.deadline == Self.at(60))
        #expect(times.overrun(unsent: 0, at: Self.at(59)) == nil)
        #expect(times.overrun(unsent: 0, at: Self.at(60)) == .idle)
    }

    @Test func `a head has its time from its first byte, however many follow`() {
        var times = times()
        for second in [20, 24, 29] { times.received(at: Self.at(Double(second))) }
        #expect(times.deadline == Self.at(30))
        #expect(times.overrun(unsent: 0, at: Self.at(30)) == .head)
    }

    @Test func `a body that comes a byte at a time falls behind and ends`() {
        var times = times()
        times.headRead(at: Self.at(0))
        for _ in 0..<4 { times.bodyRead(1) }
        // The bytes that came put it off by their share of a second.
        #expect(times.overrun(unsent: 0, at: Self.at(5)) == nil)
        #expect(times.overrun(unsent: 0, at: Self.at(5.01)) == .body)
    }

    @Test func `a body that comes fast enough ends when its time is over`() {
        var times = times()
        times.headRead(at: Self.at(0))
        for second in 1..<30 {
            times.bodyRead(2_000)
            #expect(times.overrun(unsent: 0, at: Self.at(Double(second))) == nil)
        }
        times.bodyRead(2_000)
        #expect(times.overrun(unsent: 0, at: Self.at(30)) == .body)
    }

    @Test func `bytes of a fast beginning do not pay for a long stall`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.bodyRead(1 << 20)
        #expect(times.overrun(unsent: 0, at: Self.at(5)) == nil)
        #expect(times.deadline == Self.at(10))
        #expect(times.overrun(unsent: 0, at: Self.at(10)) == .body)
    }

    @Test func `while the server does not want to read, a body does not fall behind`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.wantsNoMore(at: Self.at(1))
        #expect(times.deadline == Self.at(90))
        times.wantsMore(at: Self.at(21))
        #expect(times.deadline == Self.at(25))
        #expect(times.overrun(unsent: 0, at: Self.at(25)) == .body)
    }

    @Test func `once it is answered, a body that nobody reads falls behind`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.wantsNoMore(at: Self.at(1))
        times.answerBegan()
        times.answerEnded(at: Self.at(11))
        // The pause until the answer was the server's.
        #expect(times.deadline == Self.at(15))
        times.wantsNoMore(at: Self.at(12))
        #expect(times.deadline == Self.at(15))
        times.wantsMore(at: Self.at(14))
        #expect(times.deadline == Self.at(15))
        #expect(times.overrun(unsent: 0, at: Self.at(15)) == .body)
    }

    @Test(arguments: [limits, .development])
    func `when the server has said its last, the client has a while to hang up, whatever it sends`(_ limits: ConnectionLimits) {
        for hasSecond in [false, true] {
            var times = times(limits)
            times.headRead(at: Self.at(0))
            times.endRead(at: Self.at(0))
            if hasSecond { times.headRead(at: Self.at(0)) }
            times.answerBegan()
            times.answerEnded(at: Self.at(1))
            times.outputEnded(at: Self.at(1))
            let end = Self.at(1) + TimeAmount(limits.stall)
            #expect(times.deadline == end)
            times.received(at: Self.at(2))
            times.headRead(at: Self.at(2))
            times.bodyRead(1 << 20)
            times.wantsNoMore(at: Self.at(2))
            times.endRead(at: Self.at(2))
            #expect(times.deadline == end)
            #expect(times.overrun(unsent: 0, at: end) == .idle)
        }
    }

    @Test func `the while begins when the last answer is read`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.answerBegan()
        times.written(1_000_000, at: Self.at(1))
        times.answerEnded(at: Self.at(1))
        times.outputEnded(at: Self.at(1))
        #expect(times.overrun(unsent: 500_000, at: Self.at(6)) == nil)
        #expect(times.deadline == Self.at(11))
        #expect(times.overrun(unsent: 0, at: Self.at(11)) == nil)
        #expect(times.deadline == Self.at(16))
        #expect(times.overrun(unsent: 0, at: Self.at(16)) == .idle)
    }

    @Test func `bodies have the room again that a request gave back, whoever still knows the request`() async throws {
        let budget = BodyBudget(10)
        let share = BodyShare(of: budget)
        #expect(share.reserve(10) && !budget.reserve(1))
        share.releaseAll()
        share.releaseAll()
        #expect(budget.reserve(10) && !budget.reserve(1))
    }

    @Test func `an answer has to begin in time, unless it may take as long as it needs`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(1))
        #expect(times.overrun(unsent: 0, at: Self.at(90)) == .answer)
        var patient = self.times(.development)
        patient.headRead(at: Self.at(0))
        patient.endRead(at: Self.at(1))
        #expect(patient.deadline == nil)
        #expect(patient.overrun(unsent: 0, at: Self.at(100_000)) == nil)
    }

    @Test func `an answer that is read has no deadline, and one that is not read ends`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.answerBegan()
        #expect(times.deadline == nil)
        times.written(1_000_000, at: Self.at(1_000))
        #expect(times.overrun(unsent: 400_000, at: Self.at(1_005)) == nil)
        times.written(1_000_000, at: Self.at(1_006))
        #expect(times.overrun(unsent: 1_000_000, at: Self.at(1_010)) == nil)
        #expect(times.overrun(unsent: 999_990, at: Self.at(1_016)) == .reading)
    }

    @Test func `a stream of which everything was read may be silent for ever`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.answerBegan()
        times.written(300, at: Self.at(1))
        #expect(times.overrun(unsent: 0, at: Self.at(6)) == nil)
        #expect(times.deadline == nil)
    }

    @Test func `after an answer the connection is idle again`() {
        var times = times()
        times.headRead(at: Self.at(0))
        times.endRead(at: Self.at(0))
        times.answerBegan()
        times.answerEnded(at: Self.at(50))
        #expect(times.deadline == Self.at(110))
    }

    @Test func `one address has so many connections and no more`() throws {
        let peers = PeerCount(2)
        #expect(peers.opened(by: "a") && peers.opened(by: "a") && !peers.opened(by: "a") && peers.opened(by: "b"))
        peers.closed(by: "a")
        #expect(peers.opened(by: "a"))
        let names = try ["2001:db8:1:2:3::4", "2001:db8:1:2:ffff::1", "2001:db8:1:3::1"].map {
            PeerCount.name(of: try SocketAddress(ipAddress: $0, port: 1))
        }
        #expect(names[0] == names[1] && names[1] != names[2])
    }
}
