/// How long to wait before the store is tried again.
public struct RetryPolicy: Sendable {
    private let random: @Sendable () -> Double

    /// Creates a policy; `random` answers with a number from 0 up to 1, so that many devices do not come back at once.
    public init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.random = random
    }

    /// The wait before attempt number `attempt`, the first retry being 1: from 1 second doubling to 5 minutes, half of it by chance.
    public func delay(beforeAttempt attempt: Int) -> Duration {
        let ceiling = min(300, 1 << min(max(attempt, 1) - 1, 9))
        return .milliseconds(Int64(Double(ceiling) * 1000 * (0.5 + random() / 2)))
    }
}
