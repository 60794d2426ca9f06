import Glibc

/// The durations of calls on the caller's thread, and the number of waits.
struct CallTimes {
    struct Call {
        /// The durations in microseconds, and whether the thread lost the core during the call.
        var times: [(time: Double, isDisturbed: Bool)] = []

        /// The longest duration of the calls that kept the core, or of all calls if no call did.
        var longest: Double {
            let undisturbed = times.filter { !$0.isDisturbed }
            return (undisturbed.isEmpty ? times : undisturbed).map(\.time).max() ?? 0
        }
    }

    private var calls: [String: Call] = [:]
    /// The number of times that the thread slept in a call, such as for a lock.
    private(set) var waits = 0

    /// Makes a call and records the duration.
    ///
    /// A thread can lose a shared core at any time. Such a call is marked, because the duration includes other work.
    mutating func time(_ name: String, _ body: () -> Void) {
        let before = Self.switches
        let duration = ContinuousClock().measure(body) / .microseconds(1)
        let after = Self.switches
        waits += after.voluntary - before.voluntary
        calls[name, default: Call()].times.append((duration, after.involuntary != before.involuntary))
    }

    /// The longest duration of each call, in descending order.
    var longest: [(name: String, time: Double)] {
        calls.map { (name: $0.key, time: $0.value.longest) }.sorted { $0.time > $1.time }
    }

    /// The number of voluntary and involuntary context switches of this thread.
    private static var switches: (voluntary: Int, involuntary: Int) {
        var usage = rusage()
        // The value of RUSAGE_THREAD, which the Glibc module does not export.
        getrusage(__rusage_who_t(1), &usage)
        return (usage.ru_nvcsw, usage.ru_nivcsw)
    }
}
