import AllocationCounter
import Foundation

/// The cost of one run.
struct Cost {
    /// The processor time in seconds.
    let seconds: Double
    /// The largest number of allocated bytes at one time, without the input.
    let peak: Int

    /// The memory in bytes that a run may use for an input of any size, to parse certificates and build a chain.
    static let constant = 64 << 10
    /// The additional memory in bytes that a run may use for each byte of the input.
    static let limit = 64.0

    /// Returns the memory above the constant as a multiple of the input size.
    func multiple(of size: Int) -> Double {
        Double(max(0, peak - Self.constant)) / Double(max(1, size))
    }

    /// Runs `body`, and again up to four times while it takes more than `limit` seconds, and returns the result with the least cost.
    ///
    /// Work that other programs do can only lengthen a run.
    static func of<Result>(limit: Double, _ body: () async -> Result) async -> (Result, Cost) {
        var (result, cost) = await of(body)
        for _ in 0..<4 where cost.seconds > limit {
            let next = await of(body)
            if next.1.seconds < cost.seconds { (result, cost) = next }
        }
        return (result, cost)
    }

    /// Runs `body` and returns the result with the cost.
    static func of<Result>(_ body: () async -> Result) async -> (Result, Cost) {
        let start = clock
        allocations_start()
        let result = await body()
        let totals = allocations_stop()
        return (result, Cost(seconds: clock - start, peak: Int(totals.peak)))
    }

    private static var clock: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
