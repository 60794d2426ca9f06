import PurchaseModel

/// Compares a customer's ledger in one currency with the recorded decisions, by replaying its postings.
///
/// Postings of purchases and refunds follow from recorded decisions about credits. Debits, grants and the lifting of a freeze are decisions
/// whose record is the posting itself. A merge moves the whole balance, so its amount follows from the postings before it.
struct LedgerRebuild: Sendable {
    /// The ledger of a customer in one currency.
    struct Ledger: Codable, Hashable, Comparable, Sendable {
        let customer: CustomerID
        let currency: CurrencyID

        static func < (lhs: Ledger, rhs: Ledger) -> Bool { (lhs.customer, lhs.currency) < (rhs.customer, rhs.currency) }
    }

    private static let pageSize = 500
    /// The maximum number of customers who were merged one after the other.
    private static let mergeLimit = 100

    let app: BundleID
    let ledger: Ledger
    /// The decisions that are known to differ from the database, which a rebuild that only verifies replays in their place.
    var decisions = RecomputedDecisions()

    /// What the replay found about one posting.
    private enum Expected {
        case entries([LedgerEntry])
        /// No decision states the posting.
        case none
        /// The posting is the record of a decision, and damaged.
        case unknown
    }

    /// Compares the ledger, and repairs the differences if the rebuild writes.
    ///
    /// If a recorded decision of the ledger is damaged, nothing of the ledger is repaired.
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
        var last = decisions.withoutPosting.map(\.number).max() ?? 0
        var isKnown = true
        let customer = ledger.customer
        let balance = try replay(ledger, in: records, decisions) { posting, expected, balance in
            let name = "The posting \(posting.kindName) \(posting.key) (number \(posting.number), \(ledger.currency))"
            switch expected {
            case .unknown:
                isKnown = false
                findings.addDamage(.posting, customer: customer, "\(name) is the record of a decision, and is damaged.")
            case .none:
                try findings.add(
                    .posting, purchase: posting.purchase, customer: customer,
                    "\(name) does not follow from a decision; it is one too many.",
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
                // Each later posting would differ, too.
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
        for entry in try records.entriesWithoutPosting(of: ledger) {
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

    /// Replays the postings of a ledger in their order, and returns the balance after them.
    ///
    /// - Parameters:
    ///   - isSource: Whether the replay ends before the merge that moved the balance to another customer.
    ///   - depth: The number of merges between this ledger and the one that is compared.
    ///   - visit: Receives each posting, what it should be, and the balance after it.
    private func replay(
        _ ledger: Ledger, in records: SQLTransaction, _ decisions: RecomputedDecisions = RecomputedDecisions(), isSource: Bool = false,
        depth: Int = 0,
        visit: (StoredPosting, Expected, Int64) throws -> Void
    ) throws -> CreditBalance {
        var balance = CreditBalance()
        var stated: Int64 = 0
        var missing = decisions.withoutPosting.sorted { $0.number < $1.number }[...]
        let corrected = Dictionary(decisions.corrected.map { ("\($0.kind) \($0.key)", $0) }) { $1 }
        func insertMissing(before number: Int64) throws {
            while let decision = missing.first, decision.number <= number {
                missing = missing.dropFirst()
                do throws(CreditBalance.Refusal) { _ = try decision.apply(to: &balance) } catch { continue }
            }
        }
        var number: Int64 = 0
        while true {
            let page = try records.storedPostings(of: ledger, after: number, limit: Self.pageSize)
            for posting in page {
                number = posting.number
                try insertMissing(before: number)
                if isSource, posting.kind == .merge, posting.key == ledger.customer.rawValue { return balance }
                let expected = try expected(posting, &balance, stated, of: ledger, corrected, in: records, depth: depth)
                stated = posting.balance
                try visit(posting, expected, balance.amount)
            }
            guard page.count == Self.pageSize else { break }
        }
        try insertMissing(before: .max)
        return balance
    }

    private func expected(
        _ posting: StoredPosting, _ balance: inout CreditBalance, _ stated: Int64, of ledger: Ledger,
        _ corrected: [String: CreditDecision], in records: SQLTransaction, depth: Int
    ) throws -> Expected {
        var next = balance
        do {
            let entries: [LedgerEntry]
            switch posting.kind {
            case .purchase, .refund, .refundReversal:
                guard let kind = posting.kind, let purchase = posting.purchase,
                    let decision = try corrected["\(kind) \(posting.key)"]
                        ?? records.creditDecision(kind, key: posting.key, of: purchase),
                    decision.customer == ledger.customer, decision.currency == ledger.currency
                else { return .none }
                entries = try decision.apply(to: &next)
            case .grant:
                guard let amount = posting.recordedAmount(.grants, sign: 1, differences: [stated, balance.amount]) else { return .unknown }
                entries = try next.credit(amount, from: .grants)
            case .debit:
                guard let amount = posting.recordedAmount(.debits, sign: -1, differences: [stated, balance.amount]) else { return .unknown }
                // The debit was permitted when it was made.
                var spendable = CreditBalance(amount: amount)
                entries = try spendable.debit(amount)
                let (rest, overflow) = balance.amount.subtractingReportingOverflow(amount)
                guard !overflow else { return .unknown }
                next = CreditBalance(amount: rest, isFrozen: balance.isFrozen)
            case .unfreeze:
                next.unfreeze()
                entries = []
            case .merge where posting.key == ledger.customer.rawValue:
                var target = CreditBalance()
                entries = try CreditBalance.move(from: &next, to: &target).source
            case .merge:
                guard depth < Self.mergeLimit else { return .unknown }
                let source = Ledger(customer: CustomerID(posting.key), currency: ledger.currency)
                var moved = try replay(source, in: records, isSource: true, depth: depth + 1) { _, _, _ in }
                entries = try CreditBalance.move(from: &moved, to: &next).target
            case nil:
                return .unknown
            }
            balance = next
            return .entries(entries)
        } catch is CreditBalance.Refusal {
            return .unknown
        }
    }
}
