import FoundationExtras

/// The delays between attempts to reach the store.
///
/// `WorkSchedule` decides when the payment queue is processed again; the event stream and downloads count their own failures.
public struct RetryPolicy: Sendable {
    private let random: @Sendable () -> Double

    /// Creates a policy with a source of random numbers, so that many devices do not retry at the same time.
    ///
    /// - Parameter random: Returns a number from 0 up to, but not including, 1.
    public init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.random = random
    }

    /// Returns the delay before a retry, a random value from half the maximum to the maximum.
    ///
    /// The maximum is 1 second for the first retry, and doubles with each retry up to 5 minutes.
    ///
    /// - Parameter attempt: The number of the retry, from 1.
    public func delay(beforeAttempt attempt: Int) -> Duration {
        Backoff(from: .seconds(1), upTo: .seconds(300)).delay(after: attempt, jitter: random())
    }
}
