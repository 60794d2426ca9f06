/// Delays before further attempts, which double up to a maximum.
///
/// The delays are values without clock and randomness, so the caller passes a random number.
package struct Backoff: Hashable, Sendable {
    private let initial: Duration
    private let maximum: Duration

    /// Creates delays; a negative duration counts as zero.
    ///
    /// - Parameters:
    ///   - initial: The delay after the first failure.
    ///   - maximum: The longest delay.
    package init(from initial: Duration, upTo maximum: Duration) {
        self.maximum = max(maximum, .zero)
        self.initial = min(max(initial, .zero), self.maximum)
    }

    /// Returns the delay after a number of failures.
    ///
    /// - Parameter failures: The number of attempts that failed; a value below 1 counts as 1.
    package func delay(after failures: Int) -> Duration {
        var delay = initial
        var doublings = max(failures, 1) - 1
        // A delay of zero stays zero, however many failures there are.
        while doublings > 0, delay > .zero, delay < maximum {
            delay = delay < maximum - delay ? delay + delay : maximum
            doublings -= 1
        }
        return delay
    }

    /// Returns a delay between half of the delay after a number of failures and this delay.
    ///
    /// - Parameters:
    ///   - failures: The number of attempts that failed; a value below 1 counts as 1.
    ///   - jitter: A random number from 0 to 1, which spreads the attempts of many clients; another number counts as the nearest one, and
    ///     a number that is not finite as 1.
    package func delay(after failures: Int, jitter: Double) -> Duration {
        let jitter = jitter.isFinite ? min(max(jitter, 0), 1) : 1
        return delay(after: failures) * (0.5 + 0.5 * jitter)
    }
}
