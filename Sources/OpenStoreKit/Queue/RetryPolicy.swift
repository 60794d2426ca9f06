/// The delays between attempts to reach the store.
public struct RetryPolicy: Sendable {
    private let random: @Sendable () -> Double

    /// Creates a policy; `random` returns a number from 0 up to 1, so that many devices do not retry at the same time.
    public init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.random = random
    }

    /// The delay before retry number `attempt`, from 1: at most 1 second, doubling up to 5 minutes, with the upper half random.
    public func delay(beforeAttempt attempt: Int) -> Duration {
        let ceiling = min(300, 1 << min(max(attempt, 1) - 1, 9))
        return .milliseconds(Int64(Double(ceiling) * 1000 * (0.5 + random() / 2)))
    }
}
