import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// Repeats the decisions about one purchase, under the current configuration and under another configuration.
struct PurchaseReplay: Sendable {
    /// An entitlement that a customer has through a purchase under the current or the other configuration.
    struct EntitlementChange: Hashable, Sendable {
        let customer: CustomerID
        let name: EntitlementName
        let isPresent: Bool
        let isOther: Bool
        /// The paid price in milliunits of the rest of the period.
        let value: Int64
        let currency: String
    }

    /// The credits of a charge under one configuration.
    struct Credits: Codable, Hashable, Sendable {
        let customer: CustomerID
        let currency: CurrencyID
        let credits: Int64
        let revoked: Int64

        /// The ledger that contains the credits.
        var ledger: LedgerKey { LedgerKey(customer: customer, currency: currency) }
    }

    /// The credits of a charge that differ between the configurations.
    struct ChargeChange: Codable, Hashable, Sendable {
        let purchase: TransactionID
        let charge: String
        /// The date of the purchase.
        let date: Timestamp
        /// The recorded credits, with the current customer after merges.
        let present: Credits?
        /// The credits under the other configuration.
        let other: Credits?
        /// The price of the transaction in milliunits.
        let price: Int64
        let priceCurrency: String

        /// Whether both configurations add the credits to the same ledger.
        var isInSameLedger: Bool { present != nil && present?.ledger == other?.ledger }
    }

    let present: AppRules
    let other: AppRules
    let now: Timestamp

    /// The customers of a purchase under a configuration.
    private struct Holders {
        let record: PurchaseRecord
        /// The dates at which claims changed the owner.
        private let owners: [(date: Timestamp, customer: CustomerID)]

        init(_ record: PurchaseRecord, claims: [PurchaseClaim]) {
            self.record = record
            owners = claims.filter { $0.outcome == .owner || $0.outcome == .transferred }.map { ($0.date, $0.customer) }
        }

        /// Returns the customer who owned the purchase by a claim at a date; nil before the first such claim.
        func owner(at date: Timestamp) -> CustomerID? { owners.last { $0.date <= date }?.customer }
    }

    /// Returns the differences between the configurations for a purchase.
    func changes(of id: TransactionID, in records: SQLTransaction) throws -> (entitlements: [EntitlementChange], charges: [ChargeChange]) {
        guard let stored = try records.purchase(id) else { return ([], []) }
        let claims = try records.claims(of: id)
        let recorded = Holders(stored, claims: claims)
        let replayed = try replay(claims, of: stored, in: records)
        return (
            try entitlements(recorded, replayed, in: records),
            try charges(of: id, recorded, replayed, firstOwner: claims.first?.previous, in: records)
        )
    }

    /// Applies the transfer rules of the other configuration to the claims of a purchase.
    private func replay(_ claims: [PurchaseClaim], of stored: PurchaseRecord, in records: SQLTransaction) throws -> Holders {
        // Attribute the owner before the first claim to an `appAccountToken`, the only attribution without a claim.
        let owner = try claims.first?.previous.map(records.current)
        let first = PurchaseRecord(timeline: stored.timeline, customer: owner, attribution: owner.map { _ in .appAccountToken })
        var (purchase, decided) = (first, [PurchaseClaim]())
        for claim in claims {
            let decision = try other.recorder.transfers.claim(
                by: claim.customer, claim.attribution, &purchase, after: decided, at: claim.date, isReplay: true, in: records)
            if let decision { decided.append(decision) }
        }
        // Use the stored timeline, because with a recomputed timeline, a damaged row would appear as an effect of the configuration.
        let projection = PurchaseProjection(
            timeline: stored.timeline, token: try PurchaseProjection(of: stored.originalTransactionID, in: records)?.token)
        return Holders(try PurchaseRecord(projection, after: first, claims: decided, current: records.current), claims: decided)
    }

    // MARK: Entitlements

    private func entitlements(_ recorded: Holders, _ replayed: Holders, in records: SQLTransaction) throws -> [EntitlementChange] {
        let names = (
            present: try present.activeEntitlements(of: recorded.record, at: now, in: records),
            other: try other.activeEntitlements(of: replayed.record, at: now, in: records)
        )
        guard !names.present.isEmpty || !names.other.isEmpty else { return [] }
        let entitlement = recorded.record.timeline.entitlement(at: now)
        let transaction = try records.transaction(entitlement.transactionID, of: entitlement.originalTransactionID)?.transaction
        let value = transaction.map { Self.remainingValue(of: $0, at: now) } ?? 0
        return recorded.record.holders.union(replayed.record.holders).flatMap { customer -> [EntitlementChange] in
            let (old, new) = (
                recorded.record.holders.contains(customer) ? names.present : [],
                replayed.record.holders.contains(customer) ? names.other : []
            )
            // Divide the price equally among the entitlements of the purchase.
            return old.union(new).sorted().map { name in
                let count = Int64(old.contains(name) ? old.count : new.count)
                return EntitlementChange(
                    customer: customer, name: name, isPresent: old.contains(name), isOther: new.contains(name),
                    value: value / max(1, count),
                    currency: transaction?.currency ?? "")
            }
        }
    }

    /// Returns the price of the rest of a transaction's period, rounded down; the whole price for a purchase without an end.
    private static func remainingValue(of transaction: TransactionPayload, at now: Timestamp) -> Int64 {
        guard let price = transaction.total, price > 0 else { return 0 }
        guard let end = transaction.expiresDate else { return price }
        let period = end.milliseconds(since: transaction.purchaseDate)
        let rest = end.milliseconds(since: max(now, transaction.purchaseDate))
        guard period > 0, rest > 0 else { return 0 }
        return share(rest, of: period, of: price)
    }

    /// Returns a share of an amount, rounded toward zero.
    static func share(_ part: Int64, of whole: Int64, of amount: Int64) -> Int64 {
        whole > 0 ? Int64(clamping: Int128(amount) * Int128(part) / Int128(whole)) : 0
    }

    // MARK: Credits

    /// Returns the charges whose recorded credits differ from the credits under the other configuration.
    ///
    /// The customer of a charge's recorded credits also receives the credits under the other configuration, unless the other transfer rules
    /// assign the purchase to another customer at the date of the credit decision. The credits of a charge without recorded credits go to
    /// the purchase's owner under the other configuration.
    private func charges(
        of id: TransactionID, _ recorded: Holders, _ replayed: Holders, firstOwner: CustomerID?, in records: SQLTransaction
    ) throws -> [ChargeChange] {
        let decisions = try records.creditDecisions(of: id).filter { $0.kind == .purchase }
        let stored = try records.credits(of: id)
        let transactions = try records.transactions(of: id).map { $0.transaction.typed(by: other.catalog) }
        var changes: [ChargeChange] = []
        var seen: Set<OpaqueText> = []
        for decision in decisions {
            seen.insert(OpaqueText(decision.charge))
            guard let transaction = transactions.first(where: { $0.transactionId == decision.transactionID }) else { continue }
            let credit = stored[OpaqueText(decision.charge)]
            let present = Credits(
                customer: try records.current(decision.customer), currency: decision.currency,
                credits: credit?.credits ?? decision.credits, revoked: credit?.revoked ?? 0)
            let (before, after) = (recorded.owner(at: decision.date), replayed.owner(at: decision.date))
            let customer = before == after ? present.customer : after ?? firstOwner ?? replayed.record.customer
            let new = try customer.flatMap { try credits(of: transaction, to: records.current($0), decision.charge, in: records) }
            guard new != present else { continue }
            changes.append(change(decision.charge, transaction, present, new))
        }
        for transaction in transactions.sorted(by: { ($0.purchaseDate, $0.transactionId) < ($1.purchaseDate, $1.transactionId) }) {
            guard let customer = replayed.record.customer, let charge = CreditRule.charge(of: transaction),
                !seen.contains(OpaqueText(charge)),
                let new = try credits(of: transaction, to: customer, charge, in: records)
            else { continue }
            seen.insert(OpaqueText(charge))
            changes.append(change(charge, transaction, nil, new))
        }
        return changes
    }

    private func change(_ charge: String, _ transaction: TransactionPayload, _ present: Credits?, _ other: Credits?) -> ChargeChange {
        ChargeChange(
            purchase: transaction.originalTransactionId, charge: charge, date: transaction.purchaseDate, present: present, other: other,
            price: max(0, transaction.total ?? 0), priceCurrency: transaction.currency ?? "")
    }

    private func credits(
        of transaction: TransactionPayload, to customer: CustomerID, _ charge: String, in records: SQLTransaction
    ) throws -> Credits? {
        guard let (credit, _) = other.recorder.credit(of: transaction, to: customer) else { return nil }
        let share = try other.recorder.revokedPercentage(
            ofCharge: charge, of: transaction.originalTransactionId, hasUntyped: true, in: records)
        return Credits(
            customer: customer, currency: credit.currency, credits: credit.credits,
            revoked: Int64(CreditRule.credits(share, of: Int(clamping: credit.credits))))
    }
}

extension PurchaseReplay.ChargeChange {
    /// The paid price in milliunits of the credits that each customer would gain; negative for a loss.
    ///
    /// The value is the price of the transaction, times the customer's share of the charge's credits, without revoked credits.
    var values: [(customer: CustomerID, milliunits: Int64)] {
        func value(_ credits: PurchaseReplay.Credits, of whole: Int64) -> Int64 {
            PurchaseReplay.share(credits.credits.subtracting(clamping: credits.revoked), of: whole, of: price)
        }
        if let present, let other, isInSameLedger {
            return [(other.customer, value(other, of: present.credits).subtracting(clamping: value(present, of: present.credits)))]
        }
        return [present.map { ($0.customer, value($0, of: $0.credits).negated) }, other.map { ($0.customer, value($0, of: $0.credits)) }]
            .compactMap { $0 }
    }
}
