import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// The state that results from the entries of the vault's log.
struct VaultContents: Sendable {
    /// The newest proof of each transaction.
    private(set) var proofs: [TransactionID: VerifiedProof] = [:]
    /// The entitlement of each purchase that is not a consumable, by its original transaction.
    private(set) var entitlements: [TransactionID: Entitlement] = [:]
    /// The transactions whose purchases were delivered.
    private(set) var delivered: Set<TransactionID> = []
    /// The credits of the purchases that were delivered on this device.
    private(set) var accounts: CreditAccounts
    /// The customer of the app; nil for an app without customers.
    private(set) var customer: CustomerID?
    /// The purchases that need an approval, oldest first.
    private(set) var pending: [PendingPurchase] = []
    /// The installed content, by product.
    private(set) var contents: [ProductID: InstalledContent] = [:]
    /// The app's own data, by name.
    private(set) var values: [String: Data] = [:]
    /// The server's latest lease, which is verified whenever it is read; nil if there is none.
    private(set) var lease: SignedLease?
    /// The latest date that signed data or the server has stated.
    private(set) var time: Timestamp?

    private var selections: [TransactionID: EventSelection] = [:]
    private var texts: Set<SignedTransaction> = []
    private var renewalTexts: Set<SignedRenewalInfo> = []
    /// What the server and the App Store have stated about each customer of the app, so that a customer who signs in on the same device
    /// neither sees nor pays for another one.
    private var records: [CustomerID?: CustomerRecord] = [:]
    private var record: CustomerRecord {
        get { records[customer] ?? CustomerRecord() }
        set { records[customer] = newValue }
    }

    private struct CustomerRecord: Sendable {
        var attributions: [TransactionID: Bool] = [:]
        var listed: Set<TransactionID> = []
        var submittedRefunds: Set<TransactionID> = []
        var statement: CreditStatement?
        var openDebits: [VaultDebit] = []
        /// The debits, by idempotency key, without those that the server refused.
        var debits: [String: VaultDebit] = [:]
        var refusedDebits: Set<String> = []
        var checked: Timestamp?
    }

    /// The purchases about whose customer the server made a statement, by their original transaction.
    var attributions: [TransactionID: Bool] { record.attributions }
    /// The purchases that the server listed last for the customer, by their original transactions.
    var listed: Set<TransactionID> { record.listed }
    /// The balances that the server stated last; nil for a vault whose credits are on the device only.
    var statement: CreditStatement? { record.statement }
    /// The debits that the server has not accepted yet, in their order.
    var openDebits: [VaultDebit] { record.openDebits }
    /// The idempotency keys of the debits that the server refused.
    var refusedDebits: Set<String> { record.refusedDebits }
    /// The date when the customer's purchases were first read completely; nil if they never were.
    var checked: Timestamp? { record.checked }

    init(refundPolicy: RefundPolicy) {
        accounts = CreditAccounts(policy: refundPolicy)
    }

    init(_ entries: some Sequence<VaultEntry<VerifiedProof>>, refundPolicy: RefundPolicy) {
        self.init(refundPolicy: refundPolicy)
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: VaultEntry<VerifiedProof>) {
        switch entry {
        case .began: break
        case .proof(let proof): add(proof)
        case .customer(let customer): self.customer = customer
        case .delivered(let id, let credits): deliver(id, credits)
        case .attributed(let original, let isOwn): record.attributions[original] = isOwn
        case .listed(let originals): record.listed = Set(originals)
        case .refundSubmitted(let id): record.submittedRefunds.insert(id)
        case .debited(let debit): add(debit)
        case .debitEnded(let key, let isAccepted):
            record.openDebits.removeAll { $0.key == key }
            // A refused debit has changed nothing, so that its key can be used again.
            if !isAccepted, record.debits.removeValue(forKey: key) != nil { record.refusedDebits.insert(key) }
        case .statement(let statement): record.statement = statement
        case .pending(let purchase): pending.append(purchase)
        case .pendingEnded(let id): pending.removeAll { $0.id == id }
        case .content(let product, let content): contents[product] = content
        case .value(let name, let data): values[name] = data
        case .lease(let lease): self.lease = lease
        case .checked(let date): record.checked = date
        case .time(let date): time = max(time ?? date, date)
        }
    }

    /// Returns whether the vault has a proof that states the same, or a newer version of the transaction.
    func contains(_ proof: VerifiedProof) -> Bool {
        guard let known = proofs[proof.transaction.payload.transactionId] else { return false }
        var proof = proof
        if proof.renewal == nil { proof.renewal = known.renewal }
        return known.hasSameFacts(as: proof)
    }

    /// The newest renewal info of a subscription, by its original transaction; nil without one.
    func renewal(of original: TransactionID) -> RenewalInfoPayload? { selections[original]?.decidingEvents?.renewal?.renewal }

    /// Returns whether the vault has exactly this signed data.
    func has(_ signed: SignedProof) -> Bool {
        texts.contains(signed.transaction) && signed.renewal.map { renewalTexts.contains($0) } ?? true
    }

    private mutating func add(_ proof: VerifiedProof) {
        let payload = proof.transaction.payload
        let (id, original) = (payload.transactionId, payload.originalTransactionId)
        if let known = proofs[id] {
            // The vault keeps the renewal info of a transaction that comes again without one.
            var newest = known.event.hasOlderTransaction(than: proof.event) ? proof : known
            if newest.renewal == nil { newest.renewal = proof.renewal ?? known.renewal }
            proofs[id] = newest
        } else {
            proofs[id] = proof
        }
        texts.insert(proof.transaction.original)
        if let renewal = proof.renewal { renewalTexts.insert(renewal.original) }
        time = max(time ?? proof.signedDate, proof.signedDate)
        if payload.productType != .consumable {
            selections[original, default: EventSelection()].add(proof.event)
            entitlements[original] = selections[original]?.decidingEvents.map(EntitlementProjection.entitlement)
        }
        accounts.add(payload)
    }

    private mutating func deliver(_ id: TransactionID, _ credits: [DeliveredCredits]) {
        guard delivered.insert(id).inserted, !credits.isEmpty, let proof = proofs[id] else { return }
        accounts.credit(credits, for: proof.transaction.payload)
    }

    private mutating func add(_ debit: VaultDebit) {
        guard record.debits[debit.key] == nil else { return }
        record.debits[debit.key] = debit
        record.refusedDebits.remove(debit.key)
        if debit.isForServer { record.openDebits.append(debit) } else { accounts.debit(debit) }
    }

    // MARK: - Reading

    /// The transactions, oldest first.
    var purchases: [VerifiedTransaction] {
        proofs.values.map(\.transaction).sorted {
            ($0.payload.purchaseDate, $0.payload.transactionId) < ($1.payload.purchaseDate, $1.payload.transactionId)
        }
    }

    /// The revoked transactions of the customer's purchases that the server may not know, oldest first.
    var unsubmittedRefunds: [VerifiedTransaction] {
        proofs.values.map(\.transaction).filter { transaction in
            transaction.payload.isRevoked && record.attributions[transaction.payload.originalTransactionId] == true
                && !record.submittedRefunds.contains(transaction.payload.transactionId)
        }.sorted { ($0.payload.signedDate, $0.payload.transactionId) < ($1.payload.signedDate, $1.payload.transactionId) }
    }

    /// Returns the debit with an idempotency key; nil if there is none, or if the server refused it.
    func debit(_ key: String) -> VaultDebit? { record.debits[key] }

    /// The balances, less the debits that the server has not accepted yet.
    var balances: [CurrencyID: CreditBalance] {
        guard let statement else { return accounts.balances }
        var balances = statement.balances.mapValues { CreditBalance(amount: $0.amount, isFrozen: $0.isFrozen) }
        for debit in openDebits { _ = try? balances[debit.currency]?.debit(debit.amount) }
        return balances
    }

    /// Returns whether a purchase belongs to a customer: by the server's statement, or else by the transaction's `appAccountToken`.
    ///
    /// - Parameter customer: The app's customer; nil for an app without customers, to which every purchase of the account belongs.
    func belongs(_ payload: TransactionPayload, to customer: CustomerID?) -> Bool {
        if let isOwn = attributions[payload.originalTransactionId] { return isOwn }
        guard let customer, let token = payload.appAccountToken else { return true }
        return token == customer
    }

    /// Returns the entries of a log without those that later entries have replaced.
    static func compacted(_ entries: [VaultEntry<VerifiedProof>]) -> [VaultEntry<VerifiedProof>] {
        var ended: Set<UUID> = []
        var seen: Set<String> = []
        var kept: [VaultEntry<VerifiedProof>] = []
        // The customer to whom each entry belongs.
        var customer = ""
        let customers = entries.map { entry in
            if case .customer(let other) = entry { customer = other?.rawValue ?? "" }
            return customer
        }
        for (entry, customer) in zip(entries, customers).reversed() {
            let isNeeded =
                switch entry {
                case .began: false
                case .pendingEnded(let id):
                    {
                        ended.insert(id)
                        return false
                    }()
                case .pending(let purchase): !ended.contains(purchase.id)
                case .statement: seen.insert("statement of \(customer)").inserted
                case .listed: seen.insert("list of \(customer)").inserted
                case .lease: seen.insert("lease").inserted
                case .checked: seen.insert("checked of \(customer)").inserted
                case .time: seen.insert("time").inserted
                case .content(let product, _): seen.insert("content \(product)").inserted
                case .value(let name, _): seen.insert("value \(name)").inserted
                case .attributed(let original, _): seen.insert("attributed \(original) of \(customer)").inserted
                case .proof, .customer, .delivered, .refundSubmitted, .debited, .debitEnded: true
                }
            if isNeeded { kept.append(entry) }
        }
        return [.began] + kept.reversed()
    }
}

/// The credits of the purchases that were delivered on this device, and their debits.
struct CreditAccounts: Sendable {
    private struct Charge: Sendable {
        let credits: DeliveredCredits
        var revoked: Int64 = 0
        var writtenOff: Int64 = 0
    }

    private static func add(_ credits: DeliveredCredits, to balances: inout [CurrencyID: CreditBalance]) -> Bool {
        (try? balances[credits.currency, default: CreditBalance()].credit(credits.amount, from: .purchases)) != nil
    }

    private let policy: RefundPolicy
    private(set) var balances: [CurrencyID: CreditBalance] = [:]
    private var charges: [String: [Charge]] = [:]
    /// The signed versions of the transactions of each charge that has credits or was revoked.
    private var versions: [String: [TransactionPayload]] = [:]

    init(policy: RefundPolicy) {
        self.policy = policy
    }

    /// Returns whether credits fit into the balances.
    func canAdd(_ credits: [DeliveredCredits]) -> Bool {
        var balances = balances
        return credits.allSatisfy { Self.add($0, to: &balances) }
    }

    /// Adds a signed version of a transaction, which can revoke the credits of its charge or reverse a refund.
    mutating func add(_ payload: TransactionPayload) {
        guard let charge = CreditRule.charge(of: payload) else { return }
        versions[charge, default: []].append(payload)
        revoke(charge)
    }

    /// Adds the credits of a transaction's charge, unless they were added before.
    mutating func credit(_ credits: [DeliveredCredits], for payload: TransactionPayload) {
        guard CreditRule.addsCredits(payload), let charge = CreditRule.charge(of: payload), charges[charge] == nil else { return }
        charges[charge] = credits.filter { Self.add($0, to: &balances) }.map { Charge(credits: $0) }
        revoke(charge)
    }

    mutating func debit(_ debit: VaultDebit) {
        _ = try? balances[debit.currency]?.debit(debit.amount)
    }

    /// Adapts the balances to the revoked share of a charge, according to all its signed versions.
    private mutating func revoke(_ id: String) {
        guard let charges = charges[id] else { return }
        let share = CreditRule.revokedPercentage(by: versions[id] ?? [])
        self.charges[id] = charges.map { revoked($0, share) }
    }

    /// Adapts the balance to the revoked share of credits, and returns their new state.
    private mutating func revoked(_ charge: Charge, _ share: Int) -> Charge {
        var charge = charge
        let revoked = Int64(CreditRule.credits(share, of: Int(clamping: charge.credits.amount)))
        guard revoked != charge.revoked else { return charge }
        var balance = balances[charge.credits.currency] ?? CreditBalance()
        // A different share replaces the earlier one: its credits are added again, and then those of the new share are revoked.
        if charge.revoked > 0 { _ = try? balance.reinstate(charge.revoked, writtenOff: charge.writtenOff) }
        charge.writtenOff = 0
        if revoked > 0, let result = try? balance.revoke(revoked, policy: policy) { charge.writtenOff = result.writtenOff }
        charge.revoked = revoked
        balances[charge.credits.currency] = balance
        return charge
    }
}
