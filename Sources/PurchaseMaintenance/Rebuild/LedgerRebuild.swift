import PurchaseModel
import PurchaseStorage

/// Compares a customer's ledger in one currency with the recorded decisions, by replaying its postings.
struct LedgerRebuild: Sendable {
    let app: BundleID
    let ledger: LedgerKey
    /// The recomputed decisions, which a rebuild without writes replays in place of the stored decisions.
    var decisions = RecomputedDecisions()

    /// The accounts of postings that are the only record of a decision; the postings of purchases and refunds are computed from credit
    /// decisions.
    private static let decided = Set([LedgerAccount.debits, .grants, .transfers].map(\.rawValue))

    /// Compares the ledger with its replay, and repairs the differences if `isWriting` is true.
    ///
    /// The rebuild does not repair a ledger with a damaged decision.
    func compare(in records: SQLTransaction, isWriting: Bool) throws -> RebuildFindings {
        let planned = try compare(records, RebuildFindings(app: app, isWriting: false))
        guard isWriting, !planned.differences.isEmpty, !planned.differences.contains(where: { $0.resolution == .restore }) else {
            return planned
        }
        return try compare(records, RebuildFindings(app: app, isWriting: true))
    }

    private func compare(_ records: SQLTransaction, _ initial: RebuildFindings) throws -> RebuildFindings {
        var findings = initial
        var laterBalances = 0
        var last = decisions.about(ledger).withoutPosting.map(\.number).max() ?? 0
        var isKnown = true
        let customer = ledger.customer
        let balance = try LedgerReplay(records, decisions).balance(of: ledger) { posting, expected, balance in
            let name = "The posting \(posting.kindName) \(posting.key) (number \(posting.number), \(ledger.currency))"
            switch expected {
            case .unknown:
                isKnown = false
                findings.addDamage(.posting, customer: customer, "\(name) is the only record of a decision, and is damaged.")
            case .none:
                try findings.add(
                    .posting, purchase: posting.purchase, customer: customer,
                    "\(name) does not follow from a decision.",
                    [RebuildDifference.Change("amount", stored: "\(posting.amount)", recomputed: nil)]
                ) { try records.deletePosting(posting, of: ledger) }
            case .entries(let entries):
                last = max(last, posting.number)
                if posting.entries != entries.map({ StoredPosting.Entry($0) }).sorted() {
                    let change = RebuildDifference.Change(
                        "entries", stored: posting.entries.map(\.words).joined(separator: ", "),
                        recomputed: entries.map { StoredPosting.Entry($0).words }.joined(separator: ", "))
                    try findings.add(.posting, purchase: posting.purchase, customer: customer, "\(name) has wrong entries.", [change]) {
                        try records.replaceEntries(of: posting.number, with: entries, of: ledger)
                    }
                }
                guard isKnown, posting.balance != balance else { return }
                // Report the first wrong balance only, because each later balance differs as a consequence.
                laterBalances += 1
                let repair = { try records.setBalance(balance, of: posting.number, of: ledger) }
                if laterBalances > 1 {
                    if findings.isWriting { try repair() }
                } else {
                    let change = RebuildDifference.Change("balance", stored: "\(posting.balance)", recomputed: "\(balance)")
                    try findings.add(
                        .posting, customer: customer, "\(name) states another balance than the sum of the postings up to it.", [change],
                        repair: repair)
                }
            }
        }
        let stray = try records.entriesWithoutPosting(of: ledger)
        let lost = Set(stray.filter { Self.decided.contains($0.entry.account) }.map(\.number))
        for number in lost.sorted() {
            isKnown = false
            findings.addDamage(
                .posting, customer: customer,
                "The posting with the number \(number) (\(ledger.currency)), the only record of a decision, is missing.")
        }
        for entry in stray where !lost.contains(entry.number) {
            try findings.add(
                .posting, customer: customer, "The ledger of \(ledger.currency) has an entry without a posting (number \(entry.number)).",
                [RebuildDifference.Change(entry.entry.account, stored: "\(entry.entry.amount)", recomputed: nil)]
            ) { try records.deleteEntries(of: entry.number, of: ledger) }
        }
        if isKnown { try compareBalance(balance, last: last, records, &findings) }
        return findings
    }

    private func compareBalance(
        _ balance: CreditBalance, last: Int64, _ records: SQLTransaction, _ findings: inout RebuildFindings
    ) throws {
        let stored = try records.storedBalance(of: ledger)
        if let stored, stored.balance == balance, stored.postings == last { return }
        if stored == nil, last == 0, balance == CreditBalance() { return }
        var changes: [RebuildDifference.Change] = []
        func add(_ name: String, _ old: String?, _ new: String) {
            if old != new { changes.append(RebuildDifference.Change(name, stored: old, recomputed: new)) }
        }
        add("amount", stored.map { "\($0.balance.amount)" }, "\(balance.amount)")
        add("isFrozen", stored.map { "\($0.balance.isFrozen)" }, "\(balance.isFrozen)")
        add("postings", stored.map { "\($0.postings)" }, "\(last)")
        try findings.add(.balance, customer: ledger.customer, "The balance of \(ledger.currency) differs.", changes) {
            try records.put(balance, postings: last, of: ledger)
        }
    }
}
