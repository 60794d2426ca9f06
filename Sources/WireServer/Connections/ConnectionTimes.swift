import NIOCore
import PurchaseModel

/// The durations of one connection's requests: a value that receives events and reports exceeded limits.
///
/// ```
///   idle ──first byte──→ head ──head read──→ body ──end──→ idle
///   any ──the server's output has ended──→ ending
/// ```
/// At the same time, requests are answered in order, and written bytes wait until the client reads them.
struct ConnectionTimes: Sendable {
    /// The limit that was exceeded.
    enum Overrun: Hashable, Sendable {
        /// No request arrived.
        case idle
        /// A request's head did not end.
        case head
        /// A request's body did not arrive, or arrived too slowly.
        case body
        /// The response did not begin.
        case response
        /// The client does not read the response.
        case reading
    }

    private enum Incoming: Sendable {
        case idle(since: NIODeadline)
        case head(since: NIODeadline)
        case body(byteRate: MinimumByteRate, end: NIODeadline)
        /// The server's output has ended, and the server waits for the client to close the connection.
        case ending(since: NIODeadline)
    }

    private let limits: ConnectionLimits
    private var incoming: Incoming
    /// The time since which the server has paused reading.
    ///
    /// While a request is unanswered, the pause does not count as the client's delay.
    private var pausedSince: NIODeadline?
    /// The number of requests whose responses are not complete.
    private(set) var unanswered = 0
    /// Whether the response to the oldest unanswered request has begun.
    private(set) var isResponding = false
    /// The deadline for the beginning of the response to the oldest unanswered request.
    private var responseDeadline: NIODeadline?
    /// The rate at which the client reads written bytes; nil if the client has read all.
    private var outgoing: MinimumByteRate?
    /// The bytes that were unread at the last check, and the bytes written since.
    private var unread = 0

    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        incoming = .idle(since: now)
    }

    /// The time at which the next limit is exceeded; nil while no limit applies.
    var deadline: NIODeadline? {
        [incomingDeadline, isResponding ? nil : responseDeadline, outgoing?.deadline].compactMap { $0 }.min()
    }

    private var incomingDeadline: NIODeadline? {
        switch incoming {
        case .idle(let since): unanswered == 0 ? since + TimeAmount(limits.idle) : nil
        case .head(let since): unanswered == 0 ? since + TimeAmount(limits.head) : nil
        // After the response, no handler reads the rest of the body, so the client causes any delay.
        case .body(let byteRate, let end): pausedSince == nil || unanswered == 0 ? min(byteRate.deadline, end) : nil
        // The last response has its own limit for reading.
        case .ending(let since): outgoing == nil ? since + TimeAmount(limits.stall) : nil
        }
    }

    private var isEnding: Bool {
        if case .ending = incoming { true } else { false }
    }

    /// Bytes arrived that do not complete a part of a request.
    mutating func received(at now: NIODeadline) {
        guard case .idle = incoming else { return }
        incoming = .head(since: now)
    }

    /// The head of a request arrived.
    mutating func headRead(at now: NIODeadline) {
        guard !isEnding else { return }
        var start = now
        if case .head(let since) = incoming { start = since }
        unanswered += 1
        if unanswered == 1 { responseDeadline = limits.exchange.map { start + TimeAmount($0) } }
        incoming = .body(byteRate: MinimumByteRate(limits, at: now), end: now + TimeAmount(limits.body))
    }

    /// A part of a body arrived.
    mutating func bodyRead(_ bytes: Int) {
        guard case .body(var byteRate, let end) = incoming else { return }
        byteRate.count(bytes)
        incoming = .body(byteRate: byteRate, end: end)
    }

    /// The end of a request arrived.
    mutating func endRead(at now: NIODeadline) {
        guard !isEnding else { return }
        incoming = .idle(since: now)
    }

    /// The server resumes reading.
    mutating func readingResumed(at now: NIODeadline) {
        excludePause(until: now)
        pausedSince = nil
    }

    /// Excludes the server's pause from the time of a body, if the pause counts.
    private mutating func excludePause(until now: NIODeadline) {
        guard let since = pausedSince, unanswered > 0, case .body(var byteRate, let end) = incoming else { return }
        byteRate.excludePause(now - since)
        incoming = .body(byteRate: byteRate, end: end + (now - since))
        pausedSince = now
    }

    /// The server pauses reading.
    mutating func readingPaused(at now: NIODeadline) {
        pausedSince = pausedSince ?? now
    }

    /// A response began.
    mutating func responseBegan() {
        isResponding = true
    }

    /// A response was written completely.
    mutating func responseEnded(at now: NIODeadline) {
        excludePause(until: now)
        unanswered = max(0, unanswered - 1)
        isResponding = false
        responseDeadline = unanswered == 0 ? nil : limits.exchange.map { now + TimeAmount($0) }
        guard unanswered == 0 else { return }
        switch incoming {
        case .idle: incoming = .idle(since: now)
        case .head: incoming = .head(since: now)
        case .body, .ending: break
        }
    }

    /// The server's output ended: further requests are not answered.
    mutating func outputEnded(at now: NIODeadline) {
        incoming = .ending(since: now)
        unanswered = 0
        isResponding = false
        responseDeadline = nil
    }

    /// Bytes of a response were written, which the client has not read yet.
    mutating func written(_ bytes: Int, at now: NIODeadline) {
        if outgoing == nil { outgoing = MinimumByteRate(limits, at: now) }
        unread += bytes
    }

    /// The limit that is exceeded at `now`.
    ///
    /// - Parameter unsent: The number of written bytes that are not sent yet.
    mutating func overrun(unsent: Int, at now: NIODeadline) -> Overrun? {
        if var byteRate = outgoing {
            byteRate.count(max(0, unread - unsent))
            unread = unsent
            guard unsent == 0 || byteRate.deadline > now || byteRate.extendDeadline(at: now) else { return .reading }
            outgoing = unsent == 0 ? nil : byteRate
            // The client has just read the last of the bytes that were sent.
            if unsent == 0, isEnding { incoming = .ending(since: now) }
        }
        if !isResponding, let responseDeadline, responseDeadline <= now { return .response }
        guard let incomingDeadline, incomingDeadline <= now else { return nil }
        switch incoming {
        case .idle, .ending: return .idle
        case .head: return .head
        case .body(var byteRate, let end):
            guard now < end, byteRate.extendDeadline(at: now) else { return .body }
            incoming = .body(byteRate: byteRate, end: end)
            return nil
        }
    }
}
