import Foundation

/// How much memory processes have used at most.
enum ProcessUsage {
    /// Whose memory.
    enum Subject {
        /// This process.
        case itself
        /// The largest of the processes that this one has started and seen end.
        case children
    }

    /// The largest resident size so far, in megabytes of 10⁶ bytes, rounded up.
    static func peakMegabytes(of subject: Subject) -> Int {
        var usage = rusage()
        let who =
            switch subject {
            case .itself: RUSAGE_SELF
            case .children: RUSAGE_CHILDREN
            }
        guard getrusage(__rusage_who_t(who.rawValue), &usage) == 0 else { return 0 }
        // Linux counts in units of 1,024 bytes.
        return (usage.ru_maxrss * 1024 + 999_999) / 1_000_000
    }
}
