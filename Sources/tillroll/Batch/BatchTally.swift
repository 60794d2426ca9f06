import ArgumentParser
import PurchaseProof

/// The number of items with each result.
struct BatchTally: Hashable, Sendable, CustomStringConvertible {
    var verified = 0
    var refused = 0
    var indeterminate = 0

    var count: Int { verified + refused + indeterminate }

    /// Counts one result.
    mutating func add(_ result: VerificationExplanation.Result) {
        switch result {
        case .verified: verified += 1
        case .refused: refused += 1
        case .indeterminate: indeterminate += 1
        }
    }

    /// Adds the counts of another tally.
    static func += (tally: inout BatchTally, other: BatchTally) {
        tally.verified += other.verified
        tally.refused += other.refused
        tally.indeterminate += other.indeterminate
    }

    /// 0 if all items are verified, 1 if any item is refused, 2 if no item is refused and some are indeterminate.
    var exitCode: ExitCode {
        if refused > 0 { return VerificationExplanation.Result.refused.exitCode }
        return indeterminate > 0 ? VerificationExplanation.Result.indeterminate.exitCode : VerificationExplanation.Result.verified.exitCode
    }

    /// The summary: `1,000 items: 998 verified, 2 refused, 0 indeterminate`.
    var description: String {
        let parts = [(verified, "verified"), (refused, "refused"), (indeterminate, "indeterminate")]
        return "\(BatchProgress.grouped(count)) items: " + parts.map { "\(BatchProgress.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}
