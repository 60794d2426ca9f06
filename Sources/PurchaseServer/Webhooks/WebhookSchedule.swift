import FoundationExtras
import PurchaseModel
import PurchaseStorage
import Synchronization

/// The next step after an attempt to deliver a message.
enum WebhookStep: Hashable, Sendable {
    /// Remove the delivery, because the endpoint has acknowledged the message.
    case acknowledge
    /// Try again at a date.
    case retry(at: Timestamp)
    /// Keep the message as a dead letter.
    case bury
    /// Try again at a date, and disable the endpoint with a reason.
    case disable(at: Timestamp, because: String)
}

/// Decides when the server tries to deliver a message again, and when the server gives up.
enum WebhookSchedule {
    /// The deadline of one attempt in seconds.
    static let attemptSeconds: Int64 = 15
    /// The number of seconds from the first failed attempt after which a message becomes a dead letter.
    static let lifetime: Int64 = 3 * 86_400
    /// The number of seconds without a delivery after which the server disables an endpoint.
    static let failingLimit: Int64 = 5 * 86_400
    /// The longest wait in seconds that an endpoint can demand with `Retry-After`.
    private static let longestDemand: Int64 = 3_600
    private static let backoff = Backoff(from: .seconds(5), upTo: .seconds(6 * 3_600))

    /// Returns the step after an attempt.
    ///
    /// - Parameters:
    ///   - reply: The reply of the endpoint; nil if the server could not send the message.
    ///   - delivery: The delivery, with the number of its attempts, including the last one.
    ///   - failingSince: The date of the endpoint's first failure since the last delivery; nil if there was none before.
    ///   - now: The current date.
    ///   - jitter: A random number from 0 to 1.
    static func step(
        after reply: WebhookResponse?, _ delivery: WebhookDelivery, failingSince: Timestamp?, at now: Timestamp, jitter: Double
    ) -> WebhookStep {
        if case .status(200..<300, _)? = reply { return .acknowledge }
        var date = now.adding(seconds: backoff.delay(after: delivery.attempts, jitter: jitter).components.seconds)
        if case .status(_, let seconds?)? = reply { date = max(date, now.adding(seconds: min(seconds, longestDemand))) }
        if case .status(410, _)? = reply { return .disable(at: date, because: "The endpoint answered 410 Gone.") }
        if let failingSince, now >= failingSince.adding(seconds: failingLimit) {
            return .disable(at: date, because: "The endpoint acknowledged no message for \(failingLimit / 86_400) days.")
        }
        return now >= delivery.enqueuedAt.adding(seconds: lifetime) ? .bury : .retry(at: date)
    }
}

/// The open messages of a server to its endpoints, which limit further ones.
///
/// Many customers can wait for an endpoint that is down. After a few failures in a row the server sends one message at a time, with growing
/// pauses, until the endpoint acknowledges one.
final class WebhookTraffic: Sendable {
    /// The number of messages at the same time to an endpoint that acknowledges them.
    static let limit = 32
    private static let toleratedFailures = 5
    private static let backoff = Backoff(from: .seconds(1), upTo: .seconds(60))

    private struct State {
        var open = 0
        var failures = 0
        var pausedUntil = Timestamp(milliseconds: .min)
    }

    // reason: identifiers that the server has created, of ASCII letters and digits
    private let states = Mutex<[String: State]>([:])

    /// Returns the number of messages that can be sent to an endpoint, which then count as open.
    func begin(to endpoint: String, at now: Timestamp) -> Int {
        states.withLock { states in
            let state = states[endpoint, default: State()]
            let limit = state.failures < Self.toleratedFailures ? Self.limit : now < state.pausedUntil ? 0 : 1
            let count = max(0, limit - state.open)
            states[endpoint, default: State()].open += count
            return count
        }
    }

    /// Ends a number of open messages.
    func end(_ count: Int, to endpoint: String) {
        states.withLock { $0[endpoint, default: State()].open -= count }
    }

    /// Records the result of a message.
    func note(isAcknowledged: Bool, _ endpoint: String, at now: Timestamp) {
        states.withLock { states in
            var state = states[endpoint, default: State()]
            state.failures = isAcknowledged ? 0 : min(state.failures + 1, 1_000)
            if state.failures >= Self.toleratedFailures {
                let pause = Self.backoff.delay(after: state.failures - Self.toleratedFailures + 1)
                state.pausedUntil = now.adding(seconds: pause.components.seconds)
            }
            states[endpoint] = state
        }
    }
}
