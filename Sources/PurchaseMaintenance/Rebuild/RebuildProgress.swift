import PurchaseModel
import PurchaseStorage

/// The durable progress of a rebuild, from which an interrupted rebuild continues.
struct RebuildProgress: Codable, Hashable, Sendable {
    /// The maximum number of stored differences of each kind for later passes.
    ///
    /// Beyond the limit, later passes also report the consequences of earlier differences, and a rebuild with writes does not repair the
    /// customers' purchase lists.
    private static let limit = 1_000

    var report: RebuildReport
    var pass = RebuildPass.notifications
    /// The key of the last compared row of the pass; empty at the beginning of a pass.
    var position: [String] = []
    /// The purchases with a notification whose signed event is missing; the rebuild does not compare these purchases.
    private(set) var incomplete: Set<TransactionID> = []
    /// The purchases with differences, whose rows in customers' purchase lists the rebuild does not compare.
    private(set) var differing: Set<TransactionID> = []
    /// The recomputed decisions about credits, for the replay of the ledgers.
    private(set) var decisions = RecomputedDecisions()

    /// Adds the result of a compared row to the report.
    mutating func add(_ findings: RebuildFindings, _ recomputed: RecomputedDecisions = RecomputedDecisions()) {
        report.compared[pass.rawValue, default: 0] += 1
        report.differences += Int64(findings.differences.count)
        report.repaired += Int64(findings.differences.count { $0.resolution == .repaired })
        report.unrepairable += Int64(findings.differences.count { $0.resolution == .restore })
        report.untrusted += Int64(findings.differences.count { $0.resolution == .trust })
        if !findings.isWriting { decisions.add(recomputed, limit: Self.limit) }
        // Skip repaired differences, which have no consequences in later passes.
        for difference in findings.differences where difference.resolution != .repaired {
            guard let purchase = difference.purchase else { continue }
            switch (pass, difference.kind) {
            case (.notifications, .event) where incomplete.count < Self.limit: incomplete.insert(purchase)
            case (.purchases, .purchase) where differing.count < Self.limit: differing.insert(purchase)
            // Keep the rows of a purchase with a damaged original, because the rows may be the only remaining record.
            case (.purchases, .original) where differing.count < Self.limit: differing.insert(purchase)
            default: break
            }
        }
    }

    /// Returns whether the rebuild skips a purchase's rows in customers' purchase lists.
    ///
    /// The rebuild skips the rows if the stored purchase differs from the recomputed purchase, or a signed original of the purchase is
    /// damaged. While the rebuild repairs rows, it also skips the rows if the list of differing purchases is full, because the list may
    /// omit the purchase.
    func explains(_ purchase: TransactionID, isWriting: Bool) -> Bool {
        differing.contains(purchase) || isWriting && differing.count >= Self.limit
    }

    /// Begins the next pass; returns false after the last pass.
    mutating func beginNextPass() -> Bool {
        let passes = RebuildPass.allCases
        guard let index = passes.firstIndex(of: pass), index + 1 < passes.count else { return false }
        (pass, position) = (passes[index + 1], [])
        return true
    }
}

/// The recomputed decisions about credits that differ from the stored decisions.
struct RecomputedDecisions: Codable, Hashable, Sendable {
    /// The decisions whose postings are missing.
    var withoutPosting: [CreditDecision] = []
    /// The recomputed decisions that the database lacks, or that differ from the stored decisions.
    var corrected: [CreditDecision] = []

    /// Adds decisions, up to a total of `limit` in each list.
    mutating func add(_ other: RecomputedDecisions, limit: Int) {
        withoutPosting += other.withoutPosting.prefix(max(0, limit - withoutPosting.count))
        corrected += other.corrected.prefix(max(0, limit - corrected.count))
    }

    /// Returns the decisions about credits in a ledger.
    func about(_ ledger: LedgerKey) -> RecomputedDecisions {
        func isOf(_ decision: CreditDecision) -> Bool { decision.customer == ledger.customer && decision.currency == ledger.currency }
        return RecomputedDecisions(withoutPosting: withoutPosting.filter(isOf), corrected: corrected.filter(isOf))
    }
}
