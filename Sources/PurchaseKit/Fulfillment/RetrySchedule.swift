import FoundationExtras

/// The delays before further attempts after a failure of the network or the server.
public struct RetrySchedule: Sendable {
    private let random: @Sendable () -> Double

    /// Creates a schedule with a source of random numbers, so that many devices do not retry at the same time.
    ///
    /// - Parameter random: Returns a number from 0 up to, but not including, 1.
    public init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.random = random
    }

    /// Returns the delay before an attempt: a random value from half the maximum to the maximum.
    ///
    /// The maximum is 1 second before the second attempt, and doubles with each attempt up to 5 minutes.
    ///
    /// - Parameter failures: The number of attempts that failed, from 1.
    public func delay(after failures: Int) -> Duration {
        Backoff(from: .seconds(1), upTo: .seconds(300)).delay(after: failures, jitter: random())
    }
}
