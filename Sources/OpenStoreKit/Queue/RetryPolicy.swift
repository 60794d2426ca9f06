/// The delays between attempts to reach the store.
public struct RetryPolicy: Sendable {
    private let random: @Sendable () -> Double

    /// Creates a policy; `random` returns a number from 0 up to 1, so that many devices do not retry at the same time.
    public init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.random = random
    }

    /// The delay before attempt number `attempt`, where 1 is the first retry: 1 second, doubling to 5 minutes, half of it random.
    public func delay(beforeAttempt attempt: Int) -> Duration {
        let ceiling = min(300, 1 << min(max(attempt, 1) - 1, 9))
        return .milliseconds(Int64(Double(ceiling) * 1000 * (0.5 + random() / 2)))
    }
}
