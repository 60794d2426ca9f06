/// The outcomes and costs of many runs.
struct Tally {
    private(set) var runs = 0
    private(set) var unreadable = 0
    private(set) var refused: [String: Int] = [:]
    private(set) var verified = 0
    /// The largest memory of a run, as a multiple of the input size.
    private(set) var memory = 0.0
    /// The longest run and the total of all runs, in seconds of processor time.
    private(set) var longest = 0.0
    private(set) var seconds = 0.0

    mutating func add(_ outcome: SampleVerification.Outcome, _ cost: Cost, of size: Int) {
        runs += 1
        switch outcome {
        case .unreadable: unreadable += 1
        case .refused(let code): refused[code, default: 0] += 1
        case .indeterminate: refused["indeterminate", default: 0] += 1
        case .verified: verified += 1
        }
        memory = max(memory, cost.multiple(of: size))
        longest = max(longest, cost.seconds)
        seconds += cost.seconds
    }

    var line: String {
        let reasons = refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let outcomes = ["unreadable \(unreadable)"] + reasons + (verified > 0 ? ["same value \(verified)"] : [])
        let times = "\(Int(seconds.rounded(.up))) s, longest \(Int(longest * 1e6)) µs"
        return "\(runs) runs: \(outcomes.joined(separator: ", ")); memory \(Int(memory.rounded(.up)))×; \(times)"
    }
}
