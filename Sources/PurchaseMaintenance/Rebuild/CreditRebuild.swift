import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// Compares the credits of a purchase with its signed transactions and the recorded decisions.
struct CreditRebuild {
    let purchase: TransactionID
    let recorder: PurchaseRecorder
    /// The recomputed decisions that differ from stored decisions, or have no postings.
    private(set) var decisions = RecomputedDecisions()

    init(purchase: TransactionID, recorder: PurchaseRecorder) {
        self.purchase = purchase
        self.recorder = recorder
    }

    mutating func compare(_ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings) throws {
        let stored = try records.credits(of: purchase)
        var decisions = Dictionary(grouping: try records.creditDecisions(of: purchase), by: \.charge)
        for (key, credit) in stored where !decisions[key.rawValue, default: []].contains(where: { $0.kind == .purchase }) {
            let charge = key.rawValue
            guard let restored = try restoredDecisions(for: credit, recomputed, records) else {
                try findings.add(
                    .credit, purchase: purchase, customer: credit.customer,
                    "The charge \(charge) has credits that follow from neither a signed transaction nor a decision.",
                    credit.changes(to: nil)
                ) { try records.deleteCredit(ofCharge: charge, of: purchase) }
                continue
            }
            try findings.add(
                .decision, purchase: purchase, customer: credit.customer,
                "The decision to add the credits of the charge \(charge) is missing; the credits and the posting agree."
            ) { for decision in restored { try records.insert(decision) } }
            decisions[charge] = restored
            self.decisions.corrected += restored
        }
        var ledgers: Set<LedgerKey> = []
        for (charge, decisions) in decisions.sorted(by: { $0.key < $1.key }) {
            guard let addition = decisions.first(where: { $0.kind == .purchase }) else {
                findings.addDamage(
                    .decision, purchase: purchase, "The decision to add the credits of the charge \(charge) is missing.")
                continue
            }
            guard let credits = try credits(of: addition, recomputed, records, &findings) else { continue }
            try compare(stored[OpaqueText(charge)], to: credits, decisions, records, &findings)
            ledgers.formUnion(try comparePostings(decisions, credits, records, &findings))
            try compareRefunds(of: charge, decisions, credits, recomputed, records, &findings)
        }
        for ledger in ledgers.sorted() where findings.isWriting {
            findings.add(try LedgerRebuild(app: records.app, ledger: ledger).compare(in: records, isWriting: true))
        }
    }

    /// Returns the credits of a charge: the credits per unit at the time of the decision, times the signed quantity.
    private mutating func credits(
        of decision: CreditDecision, _ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings
    ) throws -> Int64? {
        guard let transaction = try recomputed.transaction(decision.transactionID, of: purchase)?.transaction,
            let perUnit = decision.creditsPerUnit.flatMap({ Int(exactly: $0) }),
            let credits = CreditRule.credits(perUnit: perUnit, quantity: transaction.quantity)
        else {
            findings.addDamage(
                .decision, purchase: purchase, customer: decision.customer,
                "The decision about the charge \(decision.charge) names the transaction \(decision.transactionID), which is not signed.")
            return nil
        }
        if decision.credits != Int64(credits) {
            let change = RebuildDifference.Change("credits", stored: "\(decision.credits)", recomputed: "\(credits)")
            try findings.add(
                .decision, purchase: purchase, customer: decision.customer,
                "The credits of the charge \(decision.charge) are not \(perUnit) times the signed quantity \(transaction.quantity).",
                [change]
            ) { try records.insert(decision.with(credits: Int64(credits))) }
            decisions.corrected.append(decision.with(credits: Int64(credits)))
        }
        return Int64(credits)
    }

    private func compare(
        _ stored: PurchaseCredit?, to credits: Int64, _ decisions: [CreditDecision], _ records: SQLTransaction,
        _ findings: inout RebuildFindings
    ) throws {
        guard let addition = decisions.first(where: { $0.kind == .purchase }) else { return }
        var expected = PurchaseCredit(
            purchase: purchase, charge: addition.charge, transactionID: addition.transactionID, customer: addition.customer,
            currency: addition.currency, credits: credits)
        for decision in decisions where decision.kind != .purchase {
            let sign: Int64 = decision.kind == .refund ? 1 : -1
            expected.revoked &+= sign &* decision.credits
            expected.writtenOff &+= sign &* decision.writtenOff
            expected.changes += 1
        }
        guard stored != expected else { return }
        guard (0...credits).contains(expected.revoked), (0...expected.revoked).contains(expected.writtenOff) else {
            findings.addDamage(
                .decision, purchase: purchase, customer: addition.customer,
                "The decisions about refunds of the charge \(addition.charge) revoke \(expected.revoked) of \(credits) credits.")
            return
        }
        try findings.add(
            .credit, purchase: purchase, customer: addition.customer,
            stored == nil
                ? "The credits of the charge \(addition.charge) are missing." : "The credits of the charge \(addition.charge) differ.",
            (stored ?? nil).changes(to: expected)
        ) { try records.put(expected) }
    }

    /// Compares the postings with the decisions about a charge, and returns the ledgers with missing postings.
    private mutating func comparePostings(
        _ decisions: [CreditDecision], _ credits: Int64, _ records: SQLTransaction, _ findings: inout RebuildFindings
    ) throws -> Set<LedgerKey> {
        var ledgers: Set<LedgerKey> = []
        for decision in decisions.sorted(by: { $0.number < $1.number }) {
            let decision = decision.kind == .purchase ? decision.with(credits: credits) : decision
            if let date = try records.postingDate(
                decision.kind, key: decision.key, of: decision.customer, in: decision.currency)
            {
                guard date != decision.date else { continue }
                let change = RebuildDifference.Change("date", stored: "\(date)", recomputed: "\(decision.date)")
                try findings.add(
                    .posting, purchase: purchase, customer: decision.customer,
                    "The posting \(decision.kind.rawValue) \(decision.key) has another date than its decision.", [change]
                ) { try records.updatePostingDate(of: decision) }
                continue
            }
            self.decisions.withoutPosting.append(decision)
            ledgers.insert(LedgerKey(customer: decision.customer, currency: decision.currency))
            let change = RebuildDifference.Change("amount", stored: nil, recomputed: "\(decision.credits)")
            try findings.add(
                .posting, purchase: purchase, customer: decision.customer,
                "The posting \(decision.kind.rawValue) \(decision.key) is missing in the ledger of \(decision.currency).", [change]
            ) { try records.insertPosting(of: decision) }
        }
        return ledgers
    }

    /// Compares the revoked credits with the share that the signed transactions revoke.
    private func compareRefunds(
        of charge: String, _ decisions: [CreditDecision], _ credits: Int64, _ recomputed: SQLTransaction, _ records: SQLTransaction,
        _ findings: inout RebuildFindings
    ) throws {
        let share = try recorder.revokedPercentage(ofCharge: charge, of: purchase, hasUntyped: true, in: recomputed)
        let revoked = Int64(CreditRule.credits(share, of: Int(clamping: credits)))
        let decided = decisions.reduce(Int64(0)) {
            $1.kind == .purchase ? $0 : $1.kind == .refund ? $0 &+ $1.credits : $0 &- $1.credits
        }
        guard revoked != decided else { return }
        let change = RebuildDifference.Change("revoked", stored: "\(decided)", recomputed: "\(revoked)")
        try findings.add(
            .credit, purchase: purchase, customer: decisions.first?.customer,
            "The revoked credits of the charge \(charge) differ from its signed refunds.", [change]
        ) { try recorder.reconcileRefunds(of: charge, of: purchase, hasUntyped: true, in: records) }
    }

    /// Returns the decisions that explain stored credits, if a signed transaction has the charge and the postings agree with the credits;
    /// nil otherwise.
    private func restoredDecisions(
        for credit: PurchaseCredit, _ recomputed: SQLTransaction, _ records: SQLTransaction
    ) throws -> [CreditDecision]? {
        guard let transaction = try recomputed.transaction(credit.transactionID, of: purchase)?.transaction, transaction.quantity > 0,
            CreditRule.charge(of: transaction.typed(by: recorder.catalog.catalog)) == credit.charge
        else { return nil }
        let (perUnit, rest) = credit.credits.quotientAndRemainder(dividingBy: Int64(transaction.quantity))
        let key = "\(purchase) \(credit.charge)"
        guard rest == 0, let added = try records.posting(.purchase, key: key, of: credit.customer, in: credit.currency),
            added.amount == credit.credits
        else { return nil }
        var decisions = [CreditDecision(credit, .purchase, added, credits: credit.credits, perUnit: perUnit)]
        let owner = try records.current(credit.customer)
        for holder in [owner] + (try records.customersMerged(into: owner)) {
            for kind in [LedgerPosting.Kind.refund, .refundReversal] {
                // Read the existing postings, because the stored number of changes may also be damaged.
                let changes = try records.postedChanges(kind, of: key, of: holder, in: credit.currency)
                for change in changes where change <= credit.changes {
                    guard let posting = try records.posting(kind, key: "\(key) \(change)", of: holder, in: credit.currency) else {
                        continue
                    }
                    decisions.append(
                        CreditDecision(
                            credit, kind, posting, credits: posting.credits(on: .refunds, atMost: credit.credits),
                            writtenOff: posting.credits(on: .writeOffs, atMost: credit.credits),
                            refundPolicy: kind == .refund ? recorder.refundPolicy : nil))
                }
            }
        }
        return decisions
    }
}

extension LedgerPosting {
    /// Returns the credits that the posting moved to or from an account.
    ///
    /// The sum of the entries is zero, so the other entries state the amount of a damaged entry.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - limit: The credits of the charge; an entry with a greater amount is damaged.
    fileprivate func credits(on account: LedgerAccount, atMost limit: Int64) -> Int64 {
        let stated = entries.first { $0.account == account }?.amount ?? 0
        guard stated.magnitude > limit.magnitude else { return Int64(clamping: stated.magnitude) }
        let others = entries.reduce(Int128(0)) { $1.account == account ? $0 : $0 + Int128($1.amount) }
        return Int64(clamping: others.magnitude)
    }
}

extension CreditDecision {
    /// Returns a copy of the decision with another number of credits.
    func with(credits: Int64) -> CreditDecision {
        CreditDecision(
            purchase: purchase, kind: kind, key: key, charge: charge, transactionID: transactionID, customer: customer, currency: currency,
            credits: credits, creditsPerUnit: creditsPerUnit, writtenOff: writtenOff, refundPolicy: refundPolicy, number: number, date: date
        )
    }
}

extension PurchaseCredit? {
    /// Returns the values that differ from the recomputed credits of the charge.
    fileprivate func changes(to other: PurchaseCredit?) -> [RebuildDifference.Change] {
        func values(_ credit: PurchaseCredit?) -> [(String, String?)] {
            [
                ("transactionID", credit?.transactionID.rawValue), ("customer", credit?.customer.rawValue),
                ("currency", credit?.currency.rawValue), ("credits", credit.map { "\($0.credits)" }),
                ("revoked", credit.map { "\($0.revoked)" }), ("writtenOff", credit.map { "\($0.writtenOff)" }),
                ("changes", credit.map { "\($0.changes)" }),
            ]
        }
        return zip(values(self), values(other)).compactMap { old, new in
            old.1 == new.1 ? nil : RebuildDifference.Change(old.0, stored: old.1, recomputed: new.1)
        }
    }
}

extension PurchaseCredit {
    fileprivate func changes(to other: PurchaseCredit?) -> [RebuildDifference.Change] { (self as PurchaseCredit?).changes(to: other) }
}
