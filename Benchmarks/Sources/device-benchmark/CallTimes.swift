/// The longest time that each call has kept its caller.
struct CallTimes {
    private var times: [String: Double] = [:]

    /// Makes a call and remembers how long it took, if none took longer.
    mutating func time(_ name: String, _ call: () -> Void) {
        let took = ContinuousClock().measure(call) / .microseconds(1)
        times[name] = max(times[name] ?? 0, took)
    }

    /// Every call with its longest time in microseconds, the longest first.
    var longest: [(name: String, longest: Double)] {
        times.map { (name: $0.key, longest: $0.value) }.sorted { $0.longest > $1.longest }
    }
}
