import OpenStoreKit
import Testing

@Suite struct RetryPolicyTests {
    @Test(arguments: [
        (attempt: Int.min, seconds: 1.0), (0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 64), (8, 128), (9, 256), (10, 300),
        (11, 300), (1_000_000, 300), (.max, 300),
    ])
    func `a delay is between half of its bound and its bound`(_ attempt: Int, _ seconds: Double) {
        #expect(RetryPolicy { 0 }.delay(beforeAttempt: attempt) == .seconds(seconds / 2))
        let longest = RetryPolicy { 0.999_999 }.delay(beforeAttempt: attempt)
        #expect(longest > .seconds(seconds * 0.99) && longest <= .seconds(seconds))
        let usual = RetryPolicy().delay(beforeAttempt: attempt)
        #expect(usual >= .seconds(seconds / 2) && usual <= .seconds(seconds))
    }

    @Test func `delays are random`() {
        let waits = (0..<20).map { _ in RetryPolicy().delay(beforeAttempt: 8) }
        #expect(Set(waits).count > 1)
    }
}
