import PurchaseModel
import Testing

@testable import PurchaseKit

/// The rate and the remaining time of a download.
@Suite struct DownloadRateTests {
    private typealias Sample = (milliseconds: Int64, received: Int64)

    private func rate(_ samples: [Sample]) -> Int64? {
        var meter = DownloadRate()
        for sample in samples { meter.add(sample.received, at: Timestamp(milliseconds: 1_000_000 + sample.milliseconds)) }
        return meter.bytesPerSecond
    }

    @Test func `the rate is that of the last ten seconds`() {
        #expect(rate([]) == nil)
        #expect(rate([(0, 5), (999, 500)]) == nil)
        #expect(rate([(0, 0), (1_000, 500)]) == 500)
        #expect(rate((0...40).map { ($0 * 500, $0 * 100) }) == 200)
        // A fast beginning no longer counts.
        #expect(rate([(0, 0), (1_000, 1_000_000)] + (2...30).map { ($0 * 1_000, 1_000_000 + $0 * 10) }) == 10)
        // Many reports in a moment are one sample.
        #expect(rate((0...1_000).map { ($0, $0) }) == 1_000)
    }

    @Test func `a clock that is set back, and a new beginning, start the measurement again`() {
        #expect(rate([(5_000, 10), (0, 20), (500, 30)]) == nil)
        #expect(rate([(0, 100), (2_000, 0), (2_500, 100)]) == nil)
    }

    @Test(arguments: [Int64.max, .min])
    func `a length from outside does not trap`(_ length: Int64) {
        let meter = rate([(0, 0), (1_000, length)])
        let progress = DownloadProgress(state: .active, received: 0, length: length, bytesPerSecond: 1)
        #expect(meter == nil || meter != 0)
        #expect((progress.timeRemaining == nil) == (length < 0))
        #expect((0...1).contains(progress.fraction))
    }

    @Test func `the remaining time follows from the rate`() {
        var progress = DownloadProgress(state: .active, received: 250, length: 1_000)
        #expect(progress.timeRemaining == nil && progress.fraction == 0.25)
        progress.bytesPerSecond = 50
        #expect(progress.timeRemaining == .seconds(15))
        progress.bytesPerSecond = 0
        #expect(progress.timeRemaining == nil)
    }
}
