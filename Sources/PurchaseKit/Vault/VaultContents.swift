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
    /// The purchases about whose customer the server made a statement, by their original transaction.
    private(set) var attributions: [TransactionID: Bool] = [:]
    /// The credits of the purchases that were delivered on this device.
    private(set) var accounts: CreditAccounts
    /// The balances that the server stated last; nil for a vault whose credits are on the device only.
    private(set) var statement: CreditStatement?
    /// The debits that the server has not accepted yet, in their order.
    private(set) var openDebits: [VaultDebit] = []
    /// The idempotency keys of the debits that the server refused.
    private(set) var refusedDebits: Set<String> = []
    /// The purchases that need an approval, oldest first.
    private(set) var pending: [PendingPurchase] = []
    /// The installed content, by product.
    private(set) var contents: [ProductID: InstalledContent] = [:]
    /// The app's own data, by name.
    private(set) var values: [String: Data] = [:]
    /// The server's latest lease, which is verified whenever it is read; nil if there is none.
    private(set) var lease: SignedLease?
    /// The date when the customer's purchases were last read completely; nil if they never were.
    private(set) var checked: Timestamp?
    /// The latest date that signed data or the server has stated.
    private(set) var time: Timestamp?

    private var selections: [TransactionID: EventSelection] = [:]
    private var texts: Set<SignedTransaction> = []
    private var renewalTexts: Set<SignedRenewalInfo> = []
    /// The idempotency keys of debits.
    private var debitKeys: Set<String> = []

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
        case .delivered(let id, let credits): deliver(id, credits)
        case .attributed(let original, let isOwn): attributions[original] = isOwn
        case .debited(let debit): add(debit)
        case .debitEnded(let key, let isAccepted):
            openDebits.removeAll { $0.key == key }
            if !isAccepted { refusedDebits.insert(key) }
        case .statement(let statement): self.statement = statement
        case .pending(let purchase): pending.append(purchase)
        case .pendingEnded(let id): pending.removeAll { $0.id == id }
        case .content(let product, let content): contents[product] = content
        case .value(let name, let data): values[name] = data
        case .lease(let lease): self.lease = lease
        case .checked(let date): checked = date
        case .time(let date): time = max(time ?? date, date)
        }
    }

    /// Returns whether the vault has a proof that states the same, or a newer version of the transaction.
    func contains(_ proof: VerifiedProof) -> Bool {
        guard let known = proofs[proof.transaction.payload.transactionId] else { return false }
        var proof = proof
        if proof.renewal == nil { proof.renewal = known.renewal }
        return known.states(proof)
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

    private mutating func deliver(_ id: TransactionID, _ credits: DeliveredCredits?) {
        guard delivered.insert(id).inserted, let credits, let proof = proofs[id] else { return }
        accounts.credit(credits, for: proof.transaction.payload)
    }

    private mutating func add(_ debit: VaultDebit) {
        guard debitKeys.insert(debit.key).inserted else { return }
        if debit.isForServer { openDebits.append(debit) } else { accounts.debit(debit) }
    }

    // MARK: - Reading

    /// The transactions, oldest first.
    var purchases: [VerifiedTransaction] {
        proofs.values.map(\.transaction).sorted {
            ($0.payload.purchaseDate, $0.payload.transactionId) < ($1.payload.purchaseDate, $1.payload.transactionId)
        }
    }

    func hasDebit(_ key: String) -> Bool { debitKeys.contains(key) }

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
        for entry in entries.reversed() {
            let isNeeded =
                switch entry {
                case .began: false
                case .pendingEnded(let id):
                    {
                        ended.insert(id)
                        return false
                    }()
                case .pending(let purchase): !ended.contains(purchase.id)
                case .statement: seen.insert("statement").inserted
                case .lease: seen.insert("lease").inserted
                case .checked: seen.insert("checked").inserted
                case .time: seen.insert("time").inserted
                case .content(let product, _): seen.insert("content \(product)").inserted
                case .value(let name, _): seen.insert("value \(name)").inserted
                case .attributed(let original, _): seen.insert("attributed \(original)").inserted
                case .proof, .delivered, .debited, .debitEnded: true
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

    private let policy: RefundPolicy
    private(set) var balances: [CurrencyID: CreditBalance] = [:]
    private var charges: [String: Charge] = [:]
    /// The signed versions of the transactions of each charge that has credits or was revoked.
    private var versions: [String: [TransactionPayload]] = [:]

    init(policy: RefundPolicy) {
        self.policy = policy
    }

    /// Returns whether credits fit into the balance.
    func canAdd(_ credits: DeliveredCredits) -> Bool {
        var balance = balances[credits.currency] ?? CreditBalance()
        return (try? balance.credit(credits.amount, from: .purchases)) != nil
    }

    /// Adds a signed version of a transaction, which can revoke the credits of its charge or reverse a refund.
    mutating func add(_ payload: TransactionPayload) {
        guard let charge = CreditRule.charge(of: payload) else { return }
        versions[charge, default: []].append(payload)
        revoke(charge)
    }

    /// Adds the credits of a transaction's charge, unless they were added before.
    mutating func credit(_ credits: DeliveredCredits, for payload: TransactionPayload) {
        guard CreditRule.addsCredits(payload), let charge = CreditRule.charge(of: payload), charges[charge] == nil else { return }
        guard (try? balances[credits.currency, default: CreditBalance()].credit(credits.amount, from: .purchases)) != nil else { return }
        charges[charge] = Charge(credits: credits)
        revoke(charge)
    }

    mutating func debit(_ debit: VaultDebit) {
        _ = try? balances[debit.currency]?.debit(debit.amount)
    }

    /// Adapts the balance to the revoked share of a charge, according to all its signed versions.
    private mutating func revoke(_ id: String) {
        guard var charge = charges[id] else { return }
        let share = CreditRule.revokedPercentage(by: versions[id] ?? [])
        let revoked = Int64(CreditRule.credits(share, of: Int(clamping: charge.credits.amount)))
        guard revoked != charge.revoked else { return }
        var balance = balances[charge.credits.currency] ?? CreditBalance()
        // A different share replaces the earlier one: its credits are added again, and then those of the new share are revoked.
        if charge.revoked > 0 { _ = try? balance.reinstate(charge.revoked, writtenOff: charge.writtenOff) }
        charge.writtenOff = 0
        if revoked > 0, let result = try? balance.revoke(revoked, policy: policy) { charge.writtenOff = result.writtenOff }
        charge.revoked = revoked
        charges[id] = charge
        balances[charge.credits.currency] = balance
    }
}
