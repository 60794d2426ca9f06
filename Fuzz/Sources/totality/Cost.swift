import AllocationCounter
import Foundation

/// What one run took.
struct Cost {
    /// Seconds of the processor.
    let seconds: Double
    /// The most bytes that it held at one time, input not counted.
    let peak: Int

    /// Memory that a run may hold whatever the size of its input: certificates are parsed, and a chain is built.
    static let constant = 64 << 10
    /// What it may hold for each byte of its input beyond that.
    static let limit = 64.0

    /// What was held beyond the constant, as a multiple of the input.
    func multiple(of size: Int) -> Double {
        Double(max(0, peak - Self.constant)) / Double(max(1, size))
    }

    /// Runs `body` and says what it took.
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
