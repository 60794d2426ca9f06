import ArgumentParser

/// How many items had which verdict.
struct BatchTally: Hashable, Sendable, CustomStringConvertible {
    var verified = 0
    var refused = 0
    var unknown = 0

    var count: Int { verified + refused + unknown }

    /// Counts one more.
    mutating func add(_ word: Judgement.Word) {
        switch word {
        case .verified: verified += 1
        case .refused: refused += 1
        case .unknown: unknown += 1
        }
    }

    /// Counts all of another tally, too.
    static func += (tally: inout BatchTally, other: BatchTally) {
        tally.verified += other.verified
        tally.refused += other.refused
        tally.unknown += other.unknown
    }

    /// 0 when all are verified, 1 when any was refused, 2 when none was refused and any is unknown.
    var exitCode: ExitCode {
        if refused > 0 { return Judgement.Word.refused.exitCode }
        return unknown > 0 ? Judgement.Word.unknown.exitCode : Judgement.Word.verified.exitCode
    }

    /// The summary: `1,000 judged: 998 verified, 2 refused, 0 unknown`.
    var description: String {
        let parts = [(verified, "verified"), (refused, "refused"), (unknown, "unknown")]
        return "\(BatchProgress.grouped(count)) judged: " + parts.map { "\(BatchProgress.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}
