package import PurchaseModel
import PurchaseProof
package import PurchaseStorage

/// Records verified events of purchases, and updates the purchases' entitlements, customers and credits.
///
/// The result depends neither on the order of events nor on duplicates.
package struct PurchaseRecorder: Sendable {
    /// A customer's claim of a purchase, before the server's decision.
    package struct Claim: Hashable, Sendable {
        package let customer: CustomerID
        package let attribution: PurchaseRecord.Attribution

        package init(customer: CustomerID, attribution: PurchaseRecord.Attribution) {
            self.customer = customer
            self.attribution = attribution
        }
    }

    /// The effect of a claim on the customers of a purchase.
    package enum ClaimResult: Hashable, Sendable {
        /// The purchase belongs to the customer who claims it.
        case owner
        /// The purchase moved from another customer to the customer who claims it.
        case transferred(from: CustomerID)
        /// The purchase stays with another customer, and is shared with the customer who claims it.
        case shared(by: CustomerID)
        /// The purchase stays with another customer.
        case refused(owner: CustomerID)
        /// The purchase stays with another customer, because the limit of transfers or shares is reached.
        case refusedForLimit(owner: CustomerID)
    }

    /// The purchase after an event, and the effect of the event.
    package struct Recorded: Sendable {
        /// The purchase after the event.
        let purchase: PurchaseRecord
        /// Whether an earlier event contained the transaction.
        let isKnown: Bool
        /// The credits of the event's charge; nil if the charge adds no credits.
        let credit: PurchaseCredit?
        /// The effect of the claim; nil for an event without a claim.
        let claim: ClaimResult?
    }

    package let catalog: any CatalogSource
    package let refundPolicy: RefundPolicy
    package let transfers: TransferRules
    let clock: any WallClock
    /// Whether the server finishes consumables after adding the credits.
    var finishing = FinishingMode.off
    /// Whether sandbox purchases add credits.
    var creditsSandboxPurchases = true

    /// Records an event in a database transaction.
    ///
    /// - Parameter claim: The claim of a customer; nil to attribute the purchase by its `appAccountToken` only.
    package func record(_ verified: VerifiedEvent, claim: Claim? = nil, in records: any StorageTransaction) throws -> Recorded {
        let verified = verified.typed(by: catalog.catalog)
        guard let stored = try records.purchase(verified.event.transaction.originalTransactionId) else {
            return try recordFirst(verified, claim, in: records)
        }
        return try record(verified, claim, of: stored, in: records)
    }

    /// Records the first event of a purchase without reading other rows, because the event alone determines the purchase.
    private func recordFirst(_ verified: VerifiedEvent, _ claim: Claim?, in records: any StorageTransaction) throws -> Recorded {
        let transaction = verified.event.transaction
        try records.insertFirst(verified, receivedAt: clock.now)
        var purchase = try PurchaseRecord(PurchaseProjection(first: verified.event), current: records.current)
        let result = try claim.map { try self.claim(&purchase, $0, in: records) }
        try records.put(purchase, replacing: nil)
        try records.scheduleLookup(of: purchase.entitlement)
        var credit = try purchase.customer.flatMap { try self.credit(transaction, to: $0, isFirst: true, in: records) }
        // Reconcile refunds only for a revoked transaction, because no other event is stored.
        if transaction.isRevoked, let charge = CreditRule.charge(of: transaction) {
            try reconcileRefunds(of: charge, of: purchase.originalTransactionID, hasUntyped: false, in: records)
            credit = try records.credit(ofCharge: charge, of: purchase.originalTransactionID)
        }
        return Recorded(purchase: purchase, isKnown: false, credit: credit, claim: result)
    }

    /// Records an event of a stored purchase.
    private func record(
        _ verified: VerifiedEvent, _ claim: Claim?, of stored: PurchaseRecord, in records: any StorageTransaction
    ) throws -> Recorded {
        let event = verified.event
        let id = stored.originalTransactionID
        let known = try records.transaction(event.transaction.transactionId, of: id)
        let claim = try claim.flatMap { try $0.attribution == .firstSubmission && wasSubmitted(stored, in: records) ? nil : $0 }
        if try verified.isNeeded(in: records) { _ = try records.insert(verified, receivedAt: clock.now) }
        let projection = try PurchaseProjection(of: id, in: records) ?? PurchaseProjection(first: event)
        var purchase = try PurchaseRecord(projection, after: stored, current: records.current)
        let result = try claim.map { try self.claim(&purchase, $0, in: records) }
        if purchase != stored { try records.put(purchase, replacing: stored) }
        // A change to a product without seats ends a team, too. A transaction with one seat states no seats.
        if event.transaction.multiSeatInfo != nil || projection.hasSeats
            || purchase.entitlement.productID != stored.entitlement.productID
            || purchase.endsTeam(with: event.transaction, at: clock.now)
        {
            try records.updateTeam(of: purchase, after: stored, event.transaction, at: clock.now)
        }
        // Keep the schedule of look-ups if the event only signs the same content again.
        if purchase.entitlement.facts != stored.entitlement.facts { try records.scheduleLookup(of: purchase.entitlement) }
        // Add the credits of all transactions of a newly attributed purchase, less the credits that refunds revoked.
        let isAttributed = stored.customer == nil && purchase.customer != nil
        let transactions = try self.transactions(
            ofChargesIn: event, isAttributed: isAttributed, isKnown: known != nil, of: id, in: records)
        if let customer = purchase.customer {
            for transaction in transactions { _ = try credit(transaction, to: customer, isFirst: false, in: records) }
        }
        // Search for untyped transactions, which are stored without a charge identifier if the catalog lacks the product type.
        let hasUntyped = isAttributed || known.map { $0.transaction.type == nil } ?? false
        for charge in Set(transactions.compactMap { CreditRule.charge(of: $0) }).sorted() {
            try reconcileRefunds(of: charge, of: id, hasUntyped: hasUntyped, in: records)
        }
        let credit = try CreditRule.charge(of: event.transaction).flatMap { try records.credit(ofCharge: $0, of: id) }
        return Recorded(purchase: purchase, isKnown: known != nil, credit: credit, claim: result)
    }

    /// Returns the transactions whose credits an event can change: the event's transaction, or all transactions of a newly attributed
    /// purchase.
    private func transactions(
        ofChargesIn event: SignedEvent, isAttributed: Bool, isKnown: Bool, of id: TransactionID, in records: any StorageTransaction
    ) throws -> [TransactionPayload] {
        if isAttributed { return try records.transactions(of: id).map { $0.transaction.typed(by: catalog.catalog) } }
        guard isKnown, var newest = try records.transaction(event.transaction.transactionId, of: id)?.transaction else {
            return [event.transaction]
        }
        // Use the newest version, because a receipt's copy of a transaction may lack the Family Sharing ownership.
        newest.type = event.transaction.type
        return [newest]
    }

    /// The maximum number of events in the search for a submission; a purchase with more events counts as submitted.
    private static let examinedEvents = 1_000

    /// Returns whether a purchase was submitted, or has a customer.
    ///
    /// A notification or a look-up is no submission, because the App Store sends the event, possibly before the first submission.
    private func wasSubmitted(_ stored: PurchaseRecord, in records: any StorageTransaction) throws -> Bool {
        guard stored.customer == nil else { return true }
        let events = try records.events(of: stored.originalTransactionID, limit: Self.examinedEvents)
        return events.count == Self.examinedEvents || events.contains { $0.event.isSubmitted }
    }

    /// Decides about a customer's claim of a purchase, by the transfer rules, and records the decision.
    private func claim(_ purchase: inout PurchaseRecord, _ claim: Claim, in records: any StorageTransaction) throws -> ClaimResult {
        let owner = purchase.customer
        guard owner != claim.customer else { return .owner }
        let claims = try owner == nil ? [] : records.claims(of: purchase.originalTransactionID)
        let before = purchase
        guard
            let decision = try transfers.claim(
                by: claim.customer, claim.attribution, &purchase, after: claims, at: clock.now, in: records)
        else { return .owner }
        // Record a claim without an effect once, because apps repeat their claims at each launch.
        if purchase != before || decision.isFirstRefusal(among: claims) { try records.insert(decision) }
        guard let owner else { return .owner }
        return switch decision.outcome {
        case .owner: .owner
        case .transferred: .transferred(from: owner)
        case .shared: .shared(by: owner)
        case .refused: .refused(owner: owner)
        case .refusedForLimit: .refusedForLimit(owner: owner)
        }
    }

    /// Returns the credits that the charge of a transaction adds to a customer's balance; nil without credits.
    package func credit(of transaction: TransactionPayload, to customer: CustomerID) -> (credit: PurchaseCredit, perUnit: Int64)? {
        guard creditsSandboxPurchases || transaction.environment == AppEnvironment.production.rawValue else { return nil }
        guard CreditRule.addsCredits(transaction), let charge = CreditRule.charge(of: transaction),
            let product = catalog.catalog[transaction.productId], let perUnit = product.credits, perUnit > 0,
            let credits = CreditRule.credits(perUnit: perUnit, quantity: transaction.quantity), credits > 0
        else { return nil }
        let credit = PurchaseCredit(
            purchase: transaction.originalTransactionId, charge: charge, transactionID: transaction.transactionId, customer: customer,
            currency: product.currency ?? .credits, credits: Int64(credits))
        return (credit, Int64(perUnit))
    }

    /// Adds the credits of a transaction's charge to the customer's balance, once for each charge.
    ///
    /// - Parameter isFirst: Whether the purchase is new, and has no recorded credits.
    /// - Returns: The added credits; nil if none were added.
    private func credit(
        _ transaction: TransactionPayload, to customer: CustomerID, isFirst: Bool, in records: any StorageTransaction
    ) throws -> PurchaseCredit? {
        guard let (credit, perUnit) = credit(of: transaction, to: customer),
            try isFirst || records.credit(ofCharge: credit.charge, of: credit.purchase) == nil
        else { return nil }
        try records.put(credit)
        let key = "\(credit.purchase) \(credit.charge)"
        let posting = try post(.purchase, key: key, of: customer, in: credit.currency, records) { balance throws(CreditBalance.Refusal) in
            try balance.credit(credit.credits, from: .purchases)
        }
        try records.insert(CreditDecision(credit, .purchase, posting, credits: credit.credits, perUnit: perUnit))
        if finishing == .consumables, transaction.productType == .consumable {
            try records.put(.finishing(transaction, at: clock.now))
        }
        return credit
    }

    /// Posts a change of a customer's balance to the ledger.
    ///
    /// - Parameter customer: The customer, who must not be merged into another customer.
    func post(
        _ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID, _ records: any StorageTransaction,
        _ change: (inout CreditBalance) throws(CreditBalance.Refusal) -> [LedgerEntry]
    ) throws -> LedgerPosting {
        var balance = try records.balance(of: customer, in: currency)
        let entries = try change(&balance)
        let posting = LedgerPosting(
            customer: customer, currency: currency, key: key, kind: kind, entries: entries, balance: balance.amount, date: clock.now)
        return posting.numbered(try records.post(posting, balance: balance))
    }
}

extension PurchaseClaim {
    /// Returns whether the claim is the customer's first refusal of its kind, within the limit of recorded refusals.
    fileprivate func isFirstRefusal(among earlier: [PurchaseClaim]) -> Bool {
        guard outcome == .refused || outcome == .refusedForLimit else { return false }
        return !earlier.contains { $0.customer == customer && $0.outcome == outcome }
            && earlier.count(where: { $0.outcome == .refused || $0.outcome == .refusedForLimit }) < Self.refusedLimit
    }
}
