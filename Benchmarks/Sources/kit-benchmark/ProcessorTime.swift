import Glibc

/// The processor time of this process.
enum ProcessorTime {
    /// The processor time until now in microseconds.
    static var microseconds: Double {
        var usage = rusage()
        // The value of RUSAGE_SELF, which the Glibc module exports with another type.
        getrusage(__rusage_who_t(0), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
    }

    /// Returns when the process has hardly used a processor for a while.
    static func waitUntilIdle() async {
        var idle = 0
        while idle < 5 {
            let before = microseconds
            try? await Task.sleep(for: .milliseconds(20))
            idle = microseconds - before < 1_000 ? idle + 1 : 0
        }
    }
}
