import Foundation

/// Measures calls per second of processor time.
///
/// The stopwatch uses the processor time of this process, so that other processes have little effect. Subjects are measured in
/// rounds with a slice of time for each subject, so that a temporary slowdown affects all subjects alike. The result is the median
/// of the rounds.
struct Stopwatch {
    /// A measured operation.
    struct Subject {
        let name: String
        /// Prepares the given number of calls of `run`.
        ///
        /// Not part of the measured time.
        var prepare: (Int) throws -> Void = { _ in }
        let run: () async throws -> Void
    }

    let rounds = 11
    let slice = Duration.milliseconds(120)

    /// Returns the calls per second by subject, as the median of all rounds.
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

    /// Warms up and returns the number of calls that fill a slice.
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
    /// The middle value, or 0 for an empty array.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
