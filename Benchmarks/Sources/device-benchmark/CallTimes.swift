import Glibc

/// The longest time that each call has kept its caller, and how often one had to wait.
struct CallTimes {
    struct Call {
        /// The times of the calls in microseconds.
        var times: [(time: Double, isDisturbed: Bool)] = []

        /// The longest time, of those calls during which nobody else got the core; of all calls when there is none.
        var longest: Double {
            let undisturbed = times.filter { !$0.isDisturbed }
            return (undisturbed.isEmpty ? times : undisturbed).map(\.time).max() ?? 0
        }
    }

    private var calls: [String: Call] = [:]
    /// How often the thread went to sleep in a call, because somebody else held what it needed.
    private(set) var waits = 0

    /// Makes a call and remembers how long it took.
    ///
    /// On a core that is shared a thread can lose it at any time; what others did then is not the call's time.
    mutating func time(_ name: String, _ body: () -> Void) {
        let before = Self.switches
        let took = ContinuousClock().measure(body) / .microseconds(1)
        let after = Self.switches
        waits += after.voluntary - before.voluntary
        calls[name, default: Call()].times.append((took, after.involuntary != before.involuntary))
    }

    /// Every call with its longest time, the longest first.
    var longest: [(name: String, time: Double)] {
        calls.map { (name: $0.key, time: $0.value.longest) }.sorted { $0.time > $1.time }
    }

    /// How often this thread has given its core away, and how often it was taken from it.
    private static var switches: (voluntary: Int, involuntary: Int) {
        var usage = rusage()
        // RUSAGE_THREAD, which Glibc's module does not show.
        getrusage(__rusage_who_t(1), &usage)
        return (usage.ru_nvcsw, usage.ru_nivcsw)
    }
}
