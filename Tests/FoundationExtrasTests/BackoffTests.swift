import FoundationExtras
import Testing

@Suite struct BackoffTests {
    @Test(arguments: [
        // An app and a device.
        (Duration.seconds(1), Duration.seconds(300), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
        // The App Store Server API, and a bucket.
        (.milliseconds(500), .seconds(10), [0.5, 1, 2, 4, 8, 10, 10]),
        (.milliseconds(200), .seconds(20), [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20, 20]),
        // The stored requests to the App Store and an import of the server, and a conflict of transactions.
        (.seconds(60), .seconds(3_600), [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]),
        (.seconds(2), .seconds(60), [2, 4, 8, 16, 32, 60, 60]),
        (.milliseconds(4), .milliseconds(100), [0.004, 0.008, 0.016, 0.032, 0.064, 0.1, 0.1]),
        // Values out of range.
        (.seconds(5), .seconds(2), [2, 2]), (.zero, .seconds(1), [0, 0]), (.seconds(-1), .seconds(1), [0, 0]),
        (.seconds(1), .seconds(-1), [0, 0]),
    ])
    func `a delay doubles with each failure up to the maximum`(_ initial: Duration, _ maximum: Duration, _ delays: [Double]) {
        let backoff = Backoff(from: initial, upTo: maximum)
        let milliseconds = delays.map { Duration.milliseconds(Int64(($0 * 1_000).rounded())) }
        #expect((1...delays.count).map { backoff.delay(after: $0) } == milliseconds)
        #expect([Int.min, -1, 0].allSatisfy { backoff.delay(after: $0) == milliseconds.first })
        #expect(backoff.delay(after: .max) == milliseconds.last)
    }

    @Test func `the longest delay is in range`() {
        let longest = Duration.seconds(Int64.max)
        #expect(Backoff(from: .seconds(Int64.max / 2 + 1), upTo: longest).delay(after: 2) == longest)
        #expect(Backoff(from: .nanoseconds(1), upTo: longest).delay(after: .max) == longest)
    }

    @Test(arguments: [(0.0, 2.0), (0.5, 3), (1, 4), (-7, 2), (7, 4), (.nan, 4), (.infinity, 4), (-.infinity, 4)])
    func `a random number chooses a delay from half of the delay to the delay`(_ jitter: Double, _ seconds: Double) {
        #expect(Backoff(from: .seconds(1), upTo: .seconds(300)).delay(after: 3, jitter: jitter) == .seconds(seconds))
    }
}
