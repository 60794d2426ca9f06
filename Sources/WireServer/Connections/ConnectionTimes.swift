import NIOCore
import PurchaseModel

/// How long the requests of one connection take: a value that is told what happens, and says what has taken too long.
///
/// ```
///   idle ──first byte──→ head ──head read──→ body ──end──→ idle
///   any ──the server has said its last──→ ending
/// ```
/// Beside that, requests are answered in order, and what was written waits to be read.
struct ConnectionTimes: Sendable {
    /// What took too long.
    enum Overrun: Hashable, Sendable {
        /// No request came.
        case idle
        /// A request's head did not end.
        case head
        /// A request's body did not come, or came too slowly.
        case body
        /// The answer did not begin.
        case answer
        /// The client does not read its answer.
        case reading
    }

    private enum Incoming: Sendable {
        case idle(since: NIODeadline)
        case head(since: NIODeadline)
        case body(floor: ByteRateFloor, end: NIODeadline)
        /// The server will write no more, and waits for the client to hang up.
        case ending(since: NIODeadline)
    }

    private let limits: ConnectionLimits
    private var incoming: Incoming
    /// Since when the server does not want to read, which is not the client's delay while a request is unanswered.
    private var pausedSince: NIODeadline?
    /// How many requests are not answered to the end.
    private(set) var unanswered = 0
    /// Whether the answer to the oldest of them has begun.
    private(set) var isAnswering = false
    /// By when the answer to the oldest of them has to begin.
    private var answerDeadline: NIODeadline?
    /// How fast the client reads what was written; nil when it has read all.
    private var outgoing: ByteRateFloor?
    /// What the client had not read when it was looked last, and what was written since.
    private var unread = 0

    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        incoming = .idle(since: now)
    }

    /// When something has taken too long next; nil while nothing can.
    var deadline: NIODeadline? {
        [incomingDeadline, isAnswering ? nil : answerDeadline, outgoing?.deadline].compactMap { $0 }.min()
    }

    private var incomingDeadline: NIODeadline? {
        switch incoming {
        case .idle(let since): unanswered == 0 ? since + TimeAmount(limits.idle) : nil
        case .head(let since): unanswered == 0 ? since + TimeAmount(limits.head) : nil
        // What is left of a body after its answer is read by nobody who could keep the client waiting.
        case .body(let floor, let end): pausedSince == nil || unanswered == 0 ? min(floor.deadline, end) : nil
        // The last answer has its own time to be read.
        case .ending(let since): outgoing == nil ? since + TimeAmount(limits.stall) : nil
        }
    }

    private var isEnding: Bool {
        if case .ending = incoming { true } else { false }
    }

    /// Bytes came that are no whole part of a request yet.
    mutating func received(at now: NIODeadline) {
        guard case .idle = incoming else { return }
        incoming = .head(since: now)
    }

    /// The head of a request came.
    mutating func headRead(at now: NIODeadline) {
        guard !isEnding else { return }
        var start = now
        if case .head(let since) = incoming { start = since }
        unanswered += 1
        if unanswered == 1 { answerDeadline = limits.exchange.map { start + TimeAmount($0) } }
        incoming = .body(floor: ByteRateFloor(limits, at: now), end: now + TimeAmount(limits.body))
    }

    /// A part of a body came.
    mutating func bodyRead(_ bytes: Int) {
        guard case .body(var floor, let end) = incoming else { return }
        floor.count(bytes)
        incoming = .body(floor: floor, end: end)
    }

    /// The end of a request came.
    mutating func endRead(at now: NIODeadline) {
        guard !isEnding else { return }
        incoming = .idle(since: now)
    }

    /// The server wants to read more.
    mutating func wantsMore(at now: NIODeadline) {
        leaveOutPause(until: now)
        pausedSince = nil
    }

    /// Leaves out the pause of the server in the time of a body, if there is one that counts.
    private mutating func leaveOutPause(until now: NIODeadline) {
        guard let since = pausedSince, unanswered > 0, case .body(var floor, let end) = incoming else { return }
        floor.leaveOut(now - since)
        incoming = .body(floor: floor, end: end + (now - since))
        pausedSince = now
    }

    /// The server has read what it wanted.
    mutating func wantsNoMore(at now: NIODeadline) {
        pausedSince = pausedSince ?? now
    }

    /// An answer began.
    mutating func answerBegan() {
        isAnswering = true
    }

    /// An answer was written to its end.
    mutating func answerEnded(at now: NIODeadline) {
        leaveOutPause(until: now)
        unanswered = max(0, unanswered - 1)
        isAnswering = false
        answerDeadline = unanswered == 0 ? nil : limits.exchange.map { now + TimeAmount($0) }
        guard unanswered == 0 else { return }
        switch incoming {
        case .idle: incoming = .idle(since: now)
        case .head: incoming = .head(since: now)
        case .body, .ending: break
        }
    }

    /// The server has written its last: whatever else came is not answered.
    mutating func outputEnded(at now: NIODeadline) {
        incoming = .ending(since: now)
        unanswered = 0
        isAnswering = false
        answerDeadline = nil
    }

    /// Bytes of an answer were written; the client has not read them yet.
    mutating func written(_ bytes: Int, at now: NIODeadline) {
        if outgoing == nil { outgoing = ByteRateFloor(limits, at: now) }
        unread += bytes
    }

    /// What has taken too long by now.
    ///
    /// - Parameter unsent: How many bytes that were written are still with the server.
    mutating func overrun(unsent: Int, at now: NIODeadline) -> Overrun? {
        if var floor = outgoing {
            floor.count(max(0, unread - unsent))
            unread = unsent
            guard unsent == 0 || floor.deadline > now || floor.renew(at: now) else { return .reading }
            outgoing = unsent == 0 ? nil : floor
            // The client has only now read what it was sent.
            if unsent == 0, isEnding { incoming = .ending(since: now) }
        }
        if !isAnswering, let answerDeadline, answerDeadline <= now { return .answer }
        guard let incomingDeadline, incomingDeadline <= now else { return nil }
        switch incoming {
        case .idle, .ending: return .idle
        case .head: return .head
        case .body(var floor, let end):
            guard now < end, floor.renew(at: now) else { return .body }
            incoming = .body(floor: floor, end: end)
            return nil
        }
    }
}
