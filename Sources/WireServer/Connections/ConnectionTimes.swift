import NIOCore

/// Measures the durations of the requests and responses of one connection, and reports when a limit is exceeded.
///
/// Hummingbird closes idle connections only, and sets no limit for a slow head, body or reader.
///
/// The handler of the connection reports each event with its time. Incoming data has these states:
///
/// ```
///   idle ──first byte──→ head ──head read──→ body ──end──→ idle
///   any ──the server's output has ended──→ ending
/// ```
/// Independently of these states, the value measures how long the oldest request waits for its response, and how fast the client reads
/// written bytes.
struct ConnectionTimes: Sendable {
    /// The kind of limit that a connection exceeded.
    enum Overrun: Hashable, Sendable {
        /// No request arrived in time, or the client did not close the connection after the end of the server's output.
        case idle
        /// The head of a request did not end in time.
        case head
        /// The body of a request did not arrive in time, or arrived too slowly.
        case body
        /// The server's response did not begin in time.
        case response
        /// The client does not read the response, or reads it too slowly.
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
    /// The time since which the server has paused reading; nil while the server reads.
    ///
    /// While a request is unanswered, the pause does not count as a delay of the client.
    private var pausedSince: NIODeadline?
    /// The number of requests whose responses are not complete.
    private(set) var unanswered = 0
    /// Whether the response to the oldest unanswered request has begun.
    private(set) var isResponding = false
    /// The deadline for the beginning of the response to the oldest unanswered request; nil when no such limit applies.
    private var responseDeadline: NIODeadline?
    /// The rate at which the client reads written bytes; nil when the client has read all of them.
    private var outgoing: MinimumByteRate?
    /// The number of bytes that the client had not read at the last check, plus the bytes that were written since then.
    private var unread = 0

    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        incoming = .idle(since: now)
    }

    /// The time at which the next limit must be checked; nil while no limit applies.
    var deadline: NIODeadline? {
        [incomingDeadline, isResponding ? nil : responseDeadline, outgoing?.deadline].compactMap { $0 }.min()
    }

    private var incomingDeadline: NIODeadline? {
        switch incoming {
        case .idle(let since): unanswered == 0 ? since + TimeAmount(limits.idle) : nil
        case .head(let since): unanswered == 0 ? since + TimeAmount(limits.head) : nil
        // When all requests are answered, no route reads the rest of a body, so that the client causes any delay.
        case .body(let byteRate, let end): pausedSince == nil || unanswered == 0 ? min(byteRate.deadline, end) : nil
        // While the client reads the last response, the minimum rate for reading applies instead.
        case .ending(let since): outgoing == nil ? since + TimeAmount(limits.stall) : nil
        }
    }

    private var isEnding: Bool {
        if case .ending = incoming { true } else { false }
    }

    /// Records that bytes arrived that do not complete a part of a request.
    mutating func received(at now: NIODeadline) {
        guard case .idle = incoming else { return }
        incoming = .head(since: now)
    }

    /// Records that the head of a request arrived.
    mutating func headRead(at now: NIODeadline) {
        guard !isEnding else { return }
        var start = now
        if case .head(let since) = incoming { start = since }
        unanswered += 1
        if unanswered == 1 { responseDeadline = limits.exchange.map { start + TimeAmount($0) } }
        incoming = .body(byteRate: MinimumByteRate(limits, at: now), end: now + TimeAmount(limits.body))
    }

    /// Records that a number of bytes of a request body arrived.
    mutating func bodyRead(_ bytes: Int) {
        guard case .body(var byteRate, let end) = incoming else { return }
        byteRate.count(bytes)
        incoming = .body(byteRate: byteRate, end: end)
    }

    /// Records that the end of a request arrived.
    mutating func endRead(at now: NIODeadline) {
        guard !isEnding else { return }
        incoming = .idle(since: now)
    }

    /// Records that the server resumes reading.
    mutating func readingResumed(at now: NIODeadline) {
        excludePause(until: now)
        pausedSince = nil
    }

    /// Excludes the time in which the server paused reading from the time of a request body, while a request is unanswered.
    private mutating func excludePause(until now: NIODeadline) {
        guard let since = pausedSince, unanswered > 0, case .body(var byteRate, let end) = incoming else { return }
        byteRate.excludePause(now - since)
        incoming = .body(byteRate: byteRate, end: end + (now - since))
        pausedSince = now
    }

    /// Records that the server pauses reading.
    mutating func readingPaused(at now: NIODeadline) {
        pausedSince = pausedSince ?? now
    }

    /// Records that a response began.
    mutating func responseBegan() {
        isResponding = true
    }

    /// Records that a response was written completely.
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

    /// Records that the server's output ended, so that the server answers no further requests on this connection.
    mutating func outputEnded(at now: NIODeadline) {
        incoming = .ending(since: now)
        unanswered = 0
        isResponding = false
        responseDeadline = nil
    }

    /// Records that bytes of a response were written, which the client has not read yet.
    mutating func written(_ bytes: Int, at now: NIODeadline) {
        if outgoing == nil { outgoing = MinimumByteRate(limits, at: now) }
        unread += bytes
    }

    /// Returns the kind of limit that is exceeded at `now`, or nil when no limit is exceeded.
    ///
    /// - Parameter unsent: The number of written bytes that are not sent yet.
    mutating func overrun(unsent: Int, at now: NIODeadline) -> Overrun? {
        if var byteRate = outgoing {
            byteRate.count(max(0, unread - unsent))
            unread = unsent
            guard unsent == 0 || byteRate.deadline > now || byteRate.extendDeadline(at: now) else { return .reading }
            outgoing = unsent == 0 ? nil : byteRate
            // The client has read all bytes, so the time for closing the connection begins now.
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
