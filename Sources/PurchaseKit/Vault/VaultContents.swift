import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// The state that results from the entries of the vault's log.
struct VaultContents: Sendable {
    /// The newest proof of each transaction.
    private var newest: [TransactionID: StoredProof] = [:]
    /// The history of each purchase, by the original transaction ID.
    private var histories: [TransactionID: PurchaseHistory] = [:]
    /// The IDs of the delivered transactions.
    private(set) var delivered: Set<TransactionID> = []
    /// The credits of the purchases that were delivered on this device.
    private(set) var accounts: CreditAccounts
    /// The customer of the app; nil for an app without customers.
    private(set) var customer: CustomerID?
    /// The purchases that need an approval, oldest first.
    private(set) var pending: [PendingPurchase] = []
    private(set) var contents: [ProductID: InstalledContent] = [:]
    /// The person's requests about the content of products.
    private(set) var downloads: [ProductID: DownloadRequest] = [:]
    /// The app's own data, by name.
    private(set) var values: [OpaqueText: Data] = [:]
    /// The latest date that signed data or the server has stated.
    private(set) var time: Timestamp?
    /// The original transaction IDs of the purchases that only an export assigns to the person.
    private(set) var unconfirmed: Set<TransactionID> = []
    /// The original transaction IDs of imported purchases that belong to another App Store account.
    private(set) var foreign: Set<TransactionID> = []

    /// Whether the signatures were verified on this device; false after the file came from another device.
    private(set) var isVerified = true

    /// The first eight bytes of each signature.
    private var signatures: Set<UInt64> = []
    /// Whether the file was restored from a backup; `reconciled` contains the customers whose balances were confirmed since then.
    private var isRestored = false
    /// The positive balances of this device's credits when the file was restored, until the balances are confirmed.
    private var restoredBalances: [CurrencyID: Int64] = [:]
    /// The credits that were added since the file was restored.
    private var addedSinceRestore: [CurrencyID: Int64] = [:]
    private var reconciled: Set<CustomerID?> = []
    /// The attributions, debits and balances of each customer, so that customers who share a device share neither purchases nor debits.
    private var records: [CustomerID?: CustomerRecord] = [:]
    private var record: CustomerRecord {
        get { records[customer] ?? CustomerRecord() }
        _modify { yield &records[customer, default: CustomerRecord()] }
    }

    private struct CustomerRecord: Sendable {
        var attributions: [TransactionID: Bool] = [:]
        var listed: Set<TransactionID> = []
        var submittedRefunds: Set<TransactionID> = []
        var statement: CreditStatement?
        var openDebits: [VaultDebit] = []
        /// The debits, by idempotency key, without those that the server refused.
        var debits: [OpaqueText: VaultDebit] = [:]
        var refusedDebits: Set<OpaqueText> = []
        var checked: Timestamp?
        var lease: SignedLease?
        /// Whether the balances came from an export, and were not confirmed since then.
        var hasImportedBalances = false
    }

    /// Whether a purchase belongs to the customer according to the server, by original transaction.
    var attributions: [TransactionID: Bool] { record.attributions }
    /// The original transaction IDs of the purchases that the server listed last for the customer.
    var listed: Set<TransactionID> { record.listed }
    /// The balances that the server stated last; nil for a vault whose credits are on the device only.
    var statement: CreditStatement? { record.statement }
    /// The debits that the server has not accepted yet, oldest first.
    var openDebits: [VaultDebit] { record.openDebits }
    /// The server's latest lease for the customer, verified at each reading; nil without a lease.
    var lease: SignedLease? { record.lease }
    /// The idempotency keys of the debits that the server refused.
    var refusedDebits: Set<OpaqueText> { record.refusedDebits }
    /// The date when the customer's purchases were first read completely; nil before the first complete reading.
    var checked: Timestamp? { record.checked }

    init(refundPolicy: RefundPolicy) {
        accounts = CreditAccounts(policy: refundPolicy)
    }

    init(_ entries: some Collection<VaultEntry>, refundPolicy: RefundPolicy) {
        self.init(refundPolicy: refundPolicy)
        // Reserve the capacity, because growing a table of thousands of entries costs more than filling the table.
        let count = entries.reduce(0) { if case .proof = $1 { $0 + 1 } else { $0 } }
        newest.reserveCapacity(count)
        histories.reserveCapacity(count)
        delivered.reserveCapacity(count)
        signatures.reserveCapacity(count)
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: VaultEntry) {
        switch entry {
        case .began: break
        case .proof(let proof): add(proof)
        case .customer(let customer): self.customer = customer
        case .delivered(let id, let credits): deliver(id, credits)
        case .attributed(let original, let isOwn): record.attributions[original] = isOwn
        case .listed(let originals): record.listed = Set(originals)
        case .refundSubmitted(let id): record.submittedRefunds.insert(id)
        case .debited(let debit): add(debit)
        case .debitEnded(let text, let isAccepted):
            let key = OpaqueText(text)
            record.openDebits.removeAll { OpaqueText($0.key) == key }
            // Remove a refused debit, so that its idempotency key can be used again.
            if !isAccepted, record.debits.removeValue(forKey: key) != nil { record.refusedDebits.insert(key) }
        case .statement(let statement): record.statement = statement
        case .pending(let purchase): pending.append(purchase)
        case .pendingEnded(let id): pending.removeAll { $0.id == id }
        case .content(let product, let content): contents[product] = content
        case .download(let product, let request): downloads[product] = request
        case .value(let name, let data): values[OpaqueText(name)] = data
        case .lease(let lease): record.lease = lease
        case .checked(let date): record.checked = date
        case .time(let date): time = max(time ?? date, date)
        case .restored:
            (isRestored, reconciled) = (true, [])
            restoredBalances = accounts.balances.mapValues(\.amount).filter { $0.value > 0 }
            addedSinceRestore = [:]
        case .reconciled:
            reconciled.insert(customer)
            record.hasImportedBalances = false
            restoredBalances = [:]
        case .foreign(let originals): foreign = Set(originals)
        case .balancesImported: record.hasImportedBalances = true
        case .unconfirmed(let originals): unconfirmed = Set(originals)
        case .moved:
            isVerified = false
            // Drop the assignments to customers, because an edited backup can assign another person's purchase to this customer; the server
            // assigns the purchases again.
            records = records.mapValues { known in
                var rest = known
                rest.attributions = known.attributions.filter { !$0.value }
                return rest
            }
        case .verified(let refused):
            isVerified = true
            remove(Set(refused))
        }
    }

    /// Removes purchases whose signed data was edited, with their credits.
    private mutating func remove(_ originals: Set<TransactionID>) {
        guard !originals.isEmpty else { return }
        for (id, proof) in newest where originals.contains(proof.facts.original) {
            newest[id] = nil
            signatures.remove(proof.facts.signature)
            if let charge = proof.facts.charge { accounts.revoke(CreditAccounts.fullShare, of: charge) }
        }
        for original in originals { histories[original] = nil }
    }

    private mutating func add(_ proof: StoredProof) {
        let facts = proof.facts
        newest[facts.id] = newest[facts.id].map { Self.newest($0, proof) } ?? proof
        histories[facts.original, default: PurchaseHistory()].add(proof)
        signatures.insert(facts.signature)
        if let signature = facts.renewalSignature { signatures.insert(signature) }
        time = max(time ?? facts.signedDate, facts.signedDate)
        if let charge = facts.charge { revoke(charge, of: facts.original) }
    }

    /// Returns the newer of two proofs of a transaction, with the renewal info of the other proof if the newer proof has none.
    private static func newest(_ known: StoredProof, _ other: StoredProof) -> StoredProof {
        guard let (old, new) = known.event.flatMap({ old in other.event.map { (old, $0) } }) else { return other }
        let newest = old.hasOlderTransaction(than: new) ? other : known
        guard newest.renewal == nil else { return newest }
        return [other, known].first { $0.renewal != nil }.map { newest.with(renewalOf: $0) } ?? newest
    }

    private mutating func deliver(_ id: TransactionID, _ credits: [DeliveredCredits]) {
        guard delivered.insert(id).inserted, !credits.isEmpty, let facts = newest[id]?.facts, facts.addsCredits, let charge = facts.charge
        else { return }
        accounts.credit(credits, for: charge)
        if isRestored {
            // Add without an overflow check, because the sum is at most the balance.
            for credits in credits { addedSinceRestore[credits.currency, default: 0] &+= credits.amount }
        }
        revoke(charge, of: facts.original)
    }

    /// Adapts the balances to the revoked share of a charge.
    private mutating func revoke(_ charge: String, of original: TransactionID) {
        guard accounts.hasCredits(of: charge), let history = histories[original], history.wasRevoked else { return }
        accounts.revoke(history.revokedPercentage(of: charge), of: charge)
    }

    private mutating func add(_ debit: VaultDebit) {
        guard record.debits[OpaqueText(debit.key)] == nil else { return }
        record.debits[OpaqueText(debit.key)] = debit
        record.refusedDebits.remove(OpaqueText(debit.key))
        if debit.isForServer { record.openDebits.append(debit) } else { accounts.debit(debit) }
    }

    // MARK: - Reading

    /// Returns the decoded fields of a transaction's newest proof; nil for an unknown transaction.
    func facts(of id: TransactionID) -> ProofFacts? { newest[id]?.facts }

    /// Decodes and returns the newest proof of a transaction; nil for an unknown transaction.
    func proof(of id: TransactionID) -> VerifiedProof? { newest[id]?.proof }

    /// Returns a transaction as the App Store signed it; nil for an unknown transaction.
    func signedTransaction(_ id: TransactionID) -> SignedTransaction? { newest[id]?.signedTransaction }

    /// The newest proofs of all transactions, in any order.
    var proofs: some Collection<StoredProof> { newest.values }

    /// Returns whether the purchase with an original transaction unlocks an entitlement; false for an unknown purchase.
    func hasEntitlement(_ original: TransactionID) -> Bool { histories[original]?.hasEntitlement ?? false }

    /// The entitlements of each purchase that is not a consumable, in any order.
    ///
    /// The first reading decodes the proofs of all these purchases, and later readings decode the proofs of changed purchases.
    var timelines: [EntitlementTimeline] { histories.values.compactMap(\.timeline) }

    /// The newest renewal info of a subscription, by its original transaction; nil without renewal info.
    func renewal(of original: TransactionID) -> RenewalInfoPayload? { histories[original]?.renewal }

    /// Returns whether the vault's newest proof of the transaction has the same content.
    func contains(_ proof: VerifiedProof) -> Bool { contains(proof.event) }

    /// Returns whether the vault's newest proof of the transaction has the same content.
    func contains(_ proof: StoredProof) -> Bool {
        guard newest[proof.facts.id] != nil else { return false }
        return proof.event.map { contains($0) } ?? false
    }

    private func contains(_ event: SignedEvent) -> Bool {
        guard let known = newest[event.transaction.transactionId]?.event else { return false }
        var event = event
        if event.renewal == nil { event.renewal = known.renewal }
        return known.hasSameFacts(as: event)
    }

    /// Returns whether the vault has exactly this signed data.
    func has(_ signed: SignedProof) -> Bool {
        [signed.transaction.compact, signed.renewal?.compact].compactMap { $0 }.allSatisfy {
            StoredProof.prefix(ofSignatureIn: $0).map { signatures.contains($0) } ?? false
        }
    }

    /// The transactions, oldest first.
    var purchases: [VerifiedTransaction] {
        newest.values.sorted { ($0.facts.purchaseDate, $0.facts.id) < ($1.facts.purchaseDate, $1.facts.id) }.compactMap {
            $0.proof?.transaction
        }
    }

    /// Returns the newest delivered transaction of each product, except revoked transactions and transactions of other customers.
    func deliveredTransactions(of products: Set<ProductID>) -> [ProductID: StoredProof] {
        guard !products.isEmpty else { return [:] }
        var found: [ProductID: StoredProof] = [:]
        for (id, proof) in newest where products.contains(proof.facts.product) && delivered.contains(id) && !proof.facts.isRevoked {
            guard belongs(proof.facts.original, proof.facts.appAccountToken, customer) else { continue }
            if let other = found[proof.facts.product], other.facts.purchaseDate >= proof.facts.purchaseDate { continue }
            found[proof.facts.product] = proof
        }
        return found
    }

    /// The customer's revoked transactions that were not submitted to the server as revoked, oldest first.
    var unsubmittedRefunds: [VerifiedTransaction] {
        newest.values.filter { proof in
            proof.facts.isRevoked && record.attributions[proof.facts.original] == true
                && !record.submittedRefunds.contains(proof.facts.id)
        }.sorted { ($0.facts.signedDate, $0.facts.id) < ($1.facts.signedDate, $1.facts.id) }.compactMap { $0.proof?.transaction }
    }

    /// Whether debits wait until the customer's balances are confirmed after a backup was restored.
    ///
    /// Without balances from the server and without credits in the backup, no debit can be missing.
    var needsReconciliation: Bool { !isReconciled && (statement != nil || !restoredBalances.isEmpty) }

    /// Whether the customer's balances were confirmed after each restore of a backup and each import of balances.
    var isReconciled: Bool { (!isRestored || reconciled.contains(customer)) && !record.hasImportedBalances }

    /// The credits of a restored backup that remain in the balances.
    var restoredCredits: [CurrencyID: Int64] {
        restoredBalances.reduce(into: [:]) { credits, entry in
            // A refund after the backup was restored may have revoked credits that the backup contained.
            let rest = (balances[entry.key]?.amount ?? 0).subtractingReportingOverflow(addedSinceRestore[entry.key] ?? 0)
            let amount = rest.overflow ? 0 : min(entry.value, rest.partialValue)
            if amount > 0 { credits[entry.key] = amount }
        }
    }

    /// Returns the debit with an idempotency key; nil without a debit, or if the server refused the debit.
    func debit(_ key: String) -> VaultDebit? { record.debits[OpaqueText(key)] }

    /// The balances, less the debits that the server has not accepted yet.
    var balances: [CurrencyID: CreditBalance] {
        guard let statement else { return accounts.balances }
        var balances = statement.balances.mapValues { CreditBalance(amount: $0.amount, isFrozen: $0.isFrozen) }
        for debit in openDebits { _ = try? balances[debit.currency]?.debit(debit.amount) }
        return balances
    }

    /// Returns whether a purchase belongs to a customer, according to the server, or else to the transaction's `appAccountToken`.
    ///
    /// - Parameter customer: The app's customer; nil for an app without customers, to which every purchase of the account belongs.
    func belongs(_ payload: TransactionPayload, to customer: CustomerID?) -> Bool {
        belongs(payload.originalTransactionId, payload.appAccountToken, customer)
    }

    /// Returns whether a transaction in the vault belongs to a customer; false for an unknown transaction.
    func belongs(_ id: TransactionID, to customer: CustomerID?) -> Bool {
        newest[id].map { belongs($0.facts.original, $0.facts.appAccountToken, customer) } ?? false
    }

    private func belongs(_ original: TransactionID, _ token: CustomerID?, _ customer: CustomerID?) -> Bool {
        if let isOwn = attributions[original] { return isOwn }
        guard !foreign.contains(original) else { return false }
        guard let customer, let token else { return true }
        return token == customer
    }

    /// Returns the entries of a log without those that later entries have replaced.
    static func compacted(_ entries: [VaultEntry]) -> [VaultEntry] {
        var ended: Set<UUID> = []
        var seen: Set<OpaqueText> = []
        /// Inserts the subject of an entry, and returns whether no later entry is about the same subject.
        func insertIfLatest(_ subject: String) -> Bool { seen.insert(OpaqueText(subject)).inserted }
        var kept: [VaultEntry] = []
        var isRestored = false
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
                case .statement: insertIfLatest("statement of \(customer)")
                case .listed: insertIfLatest("list of \(customer)")
                case .lease: insertIfLatest("lease of \(customer)")
                case .checked: insertIfLatest("checked of \(customer)")
                case .time: insertIfLatest("time")
                case .unconfirmed: insertIfLatest("unconfirmed")
                case .foreign: insertIfLatest("foreign")
                case .content(let product, _): insertIfLatest("content \(product)")
                case .download(let product, let request): insertIfLatest("download \(product)") && request != nil
                case .value(let name, _): insertIfLatest("value \(name)")
                case .attributed(let original, _): insertIfLatest("attributed \(original) of \(customer)")
                case .restored:
                    {
                        defer { isRestored = true }
                        return !isRestored
                    }()
                // Drop a confirmation of balances from before the latest restore of a backup.
                case .reconciled: !isRestored && insertIfLatest("reconciled \(customer)")
                case .balancesImported: !seen.contains(OpaqueText("reconciled \(customer)")) && insertIfLatest("imported \(customer)")
                case .proof, .customer, .delivered, .refundSubmitted, .debited, .debitEnded, .moved, .verified: true
                }
            if isNeeded { kept.append(entry) }
        }
        return [.began] + kept.reversed()
    }
}
