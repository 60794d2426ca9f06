import Foundation

/// Measures how often something can be done in a second of a core's time.
///
/// The core's time for this process counts, not the clock on the wall: what others do on the machine hardly matters.
/// Everything that is compared is measured in turns, a slice of time each, round after round: what slows the machine down for a
/// while slows all of it down alike, and the median forgets it.
struct Stopwatch {
    /// One thing to be measured.
    struct Subject {
        let name: String
        /// Makes ready for that many calls of `run`, outside the measured time.
        var prepare: (Int) throws -> Void = { _ in }
        let run: () async throws -> Void
    }

    let rounds = 11
    let slice = Duration.milliseconds(120)

    /// Calls a second, the median of all rounds, by name.
    func measure(_ subjects: [Subject]) async throws -> [String: Double] {
        var rates: [String: [Double]] = [:]
        var calls: [String: Int] = [:]
        for subject in subjects { calls[subject.name] = try await callsPerSlice(subject) }
        for _ in 0..<rounds {
            for subject in subjects {
                let count = calls[subject.name] ?? 1
                rates[subject.name, default: []].append(Double(count) / (try await time(count, of: subject)))
            }
        }
        return rates.mapValues(\.median)
    }

    /// Warms up and finds out how many calls fill a slice.
    private func callsPerSlice(_ subject: Subject) async throws -> Int {
        var count = 1
        while true {
            let seconds = try await time(count, of: subject)
            if seconds > slice.seconds / 4 { return max(1, Int(Double(count) * slice.seconds / seconds)) }
            count *= 2
        }
    }

    private func time(_ count: Int, of subject: Subject) async throws -> Double {
        try subject.prepare(count)
        let start = Self.processorSeconds
        for _ in 0..<count { try await subject.run() }
        return Self.processorSeconds - start
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}

extension [Double] {
    /// The middle one; 0 when there is none.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
