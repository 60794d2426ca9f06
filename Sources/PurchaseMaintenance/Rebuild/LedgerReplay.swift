import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// Replays the postings of ledgers in their order, with the rules of ``CreditBalance``.
///
/// The replay computes the postings of purchases and refunds from the decisions about credits. Debits, grants and unfreezes are recorded in
/// their postings only. A merge moves the whole balance, so the replay computes the amounts of a merge and of its reversal from the earlier
/// postings.
struct LedgerReplay {
    /// The expected content of a posting.
    enum Expected {
        case entries([LedgerEntry])
        /// No decision explains the posting.
        case none
        /// The replay can't compute the expected content, for example because the damaged posting is the only record of a grant or debit.
        case unknown
    }

    /// A change of the balance for which the ledger has no posting.
    struct Insertion {
        /// Returns whether the change comes before a posting.
        let isBefore: (StoredPosting) -> Bool
        let apply: (inout CreditBalance) throws(CreditBalance.Refusal) -> Void
    }

    /// The balance that a merge moved, and the frozen state of the target before the merge.
    private struct Merge {
        let moved: CreditBalance
        let wasFrozen: Bool
    }

    private static let pageSize = 500
    /// The maximum length of a chain of merged customers.
    private static let mergeLimit = 100

    let records: SQLTransaction
    /// Applies the decision of a purchase's posting to the balance, and returns the expected entries; nil without a decision.
    let applyPurchase: (StoredPosting, LedgerKey, inout CreditBalance) throws -> [LedgerEntry]?
    /// Returns the changes of a ledger's balance without postings, in the order of the changes.
    let insertions: (LedgerKey) throws -> [Insertion]

    init(
        _ records: SQLTransaction, insertions: @escaping (LedgerKey) throws -> [Insertion],
        applyPurchase: @escaping (StoredPosting, LedgerKey, inout CreditBalance) throws -> [LedgerEntry]?
    ) {
        self.records = records
        self.insertions = insertions
        self.applyPurchase = applyPurchase
    }

    /// Creates a replay of the recorded decisions.
    ///
    /// - Parameter recomputed: The recomputed decisions, which replace the stored decisions.
    init(_ records: SQLTransaction, _ recomputed: RecomputedDecisions) {
        let corrected = Dictionary(recomputed.corrected.map { ("\($0.kind) \($0.key)", $0) }) { $1 }
        self.init(records) { ledger in
            recomputed.about(ledger).withoutPosting.sorted { $0.number < $1.number }.map { decision in
                Insertion(isBefore: { decision.number <= $0.number }) { balance throws(CreditBalance.Refusal) in
                    _ = try decision.apply(to: &balance)
                }
            }
        } applyPurchase: { posting, ledger, balance in
            guard let kind = posting.kind, let purchase = posting.purchase,
                let decision = try corrected["\(kind) \(posting.key)"] ?? records.creditDecision(kind, key: posting.key, of: purchase),
                decision.customer == ledger.customer, decision.currency == ledger.currency
            else { return nil }
            return try decision.apply(to: &balance)
        }
    }

    /// Returns the balance after the postings of a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - visit: Receives each posting, its expected content, and the balance after the posting.
    func balance(of ledger: LedgerKey, visit: (StoredPosting, Expected, Int64) throws -> Void) throws -> CreditBalance {
        var moved: [MergeKey: CreditBalance] = [:]
        return try balance(of: ledger, before: nil, depth: 0, &moved, visit: visit)
    }

    /// Returns the balance after the postings of a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - merge: The key of the merge at which the replay ends, because the merge moved the balance to another customer; nil for a whole
    ///     ledger.
    ///   - depth: The number of merges between this ledger and the requested ledger.
    ///   - moved: The balances that merges moved, by merge, for the ledgers that were replayed.
    ///   - visit: Receives each posting, its expected content, and the balance after the posting.
    private func balance(
        of ledger: LedgerKey, before merge: MergeKey?, depth: Int, _ moved: inout [MergeKey: CreditBalance],
        visit: (StoredPosting, Expected, Int64) throws -> Void
    ) throws -> CreditBalance {
        var balance = CreditBalance()
        var stated: Int64 = 0
        var merges: [MergeKey: Merge] = [:]
        var insertions = try self.insertions(ledger)[...]
        func insert(while isNext: (Insertion) -> Bool) {
            while let insertion = insertions.first, isNext(insertion) {
                insertions = insertions.dropFirst()
                // Skip a change that exceeds 64 bits.
                do throws(CreditBalance.Refusal) { try insertion.apply(&balance) } catch { continue }
            }
        }
        // Begin with the smallest number, because a damaged posting may have any number.
        var number = Int64.min
        while true {
            let page = try records.storedPostings(of: ledger, after: number, limit: Self.pageSize)
            for posting in page {
                number = posting.number
                insert { $0.isBefore(posting) }
                if let merge, posting.kind == .merge, MergeKey(posting.key) == merge { return balance }
                let expected = try apply(posting, to: &balance, stated, &merges, &moved, of: ledger, depth)
                stated = posting.balance
                try visit(posting, expected, balance.amount)
            }
            guard page.count == Self.pageSize else { break }
        }
        insert { _ in true }
        return balance
    }

    /// Applies the decision of a posting to the balance, and returns the expected content of the posting.
    ///
    /// - Parameters:
    ///   - posting: The posting.
    ///   - balance: The balance before the posting, which becomes the balance after the posting.
    ///   - stated: The balance that the previous posting states.
    ///   - merges: The merges of the ledger so far.
    ///   - balances: The balances that merges of any ledger moved, by merge, for the ledgers that were replayed.
    ///   - ledger: The ledger.
    ///   - depth: The number of merges between this ledger and the requested ledger.
    private func apply(
        _ posting: StoredPosting, to balance: inout CreditBalance, _ stated: Int64, _ merges: inout [MergeKey: Merge],
        _ balances: inout [MergeKey: CreditBalance], of ledger: LedgerKey, _ depth: Int
    ) throws -> Expected {
        var next = balance
        do {
            let entries: [LedgerEntry]
            switch posting.kind {
            case .purchase, .refund, .refundReversal:
                guard let applied = try applyPurchase(posting, ledger, &next) else { return .none }
                entries = applied
            case .grant:
                guard let amount = posting.recordedAmount(.grants, sign: 1, after: [stated, balance.amount]) else { return .unknown }
                entries = try next.credit(amount, from: .grants)
            case .debit:
                guard let amount = posting.recordedAmount(.debits, sign: -1, after: [stated, balance.amount]) else { return .unknown }
                // Apply the debit even beyond the replayed balance, because the recorded balance permitted the debit.
                var spendable = CreditBalance(amount: amount)
                entries = try spendable.debit(amount)
                let (rest, overflow) = balance.amount.subtractingReportingOverflow(amount)
                guard !overflow else { return .unknown }
                next = CreditBalance(amount: rest, isFrozen: balance.isFrozen)
            case .unfreeze:
                next.unfreeze()
                entries = []
            case .merge:
                let key = MergeKey(posting.key)
                guard key.customer != ledger.customer else {
                    merges[key] = Merge(moved: next, wasFrozen: false)
                    var target = CreditBalance()
                    entries = try CreditBalance.move(from: &next, to: &target).source
                    break
                }
                guard depth < Self.mergeLimit else { return .unknown }
                let source = LedgerKey(customer: key.customer, currency: ledger.currency)
                var moved = try balances[key] ?? self.balance(of: source, before: key, depth: depth + 1, &balances) { _, _, _ in }
                balances[key] = moved
                merges[key] = Merge(moved: moved, wasFrozen: next.isFrozen)
                entries = try CreditBalance.move(from: &moved, to: &next).target
            case .mergeReversal:
                let key = MergeKey(posting.key)
                guard let merge = merges[key] else { return .unknown }
                var other = CreditBalance()
                if key.customer == ledger.customer {
                    other = merge.moved
                    entries = try CreditBalance.moveBack(merge.moved, from: &other, wasFrozen: false, to: &next).source
                } else {
                    entries = try CreditBalance.moveBack(merge.moved, from: &next, wasFrozen: merge.wasFrozen, to: &other).target
                }
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
