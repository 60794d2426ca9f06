import ContentStorage
import Foundation
import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// A transaction of a ``MemoryStorage``, which changes a copy of the records.
final class MemoryTransaction: StorageTransaction {
    let app: BundleID
    var records: MemoryRecords

    init(app: BundleID, records: MemoryRecords) {
        self.app = app
        self.records = records
    }
}

// Purchases
extension MemoryTransaction {
    func insert(_ event: VerifiedEvent, receivedAt: Timestamp) -> Bool {
        let (purchase, key) = (event.event.transaction.originalTransactionId, MemoryRecords.EventKey(event))
        let stored = records.events[purchase]?[key]
        if let stored, event.event.renewal != nil || event.event.signedDate <= stored.event.signedDate { return false }
        records.events[purchase, default: [:]][key] = StoredEvent(
            evidence: event.evidence, event: event.event, receivedAt: stored?.receivedAt ?? receivedAt)
        return true
    }

    private func stored(of purchase: TransactionID) -> [StoredEvent] {
        records.events[purchase, default: [:]].values.sorted { $0.event.signedDate < $1.event.signedDate }
    }

    func events(of purchase: TransactionID, limit: Int) -> [ReceivedEvent] {
        stored(of: purchase).suffix(max(0, limit)).map { ReceivedEvent(event: $0.event, receivedAt: $0.receivedAt) }
    }

    func decidingEvents(of purchase: TransactionID) -> DecidingEvents? { DecidingEvents(of: stored(of: purchase).map(\.event)) }

    func decidingEvidence(of purchase: TransactionID) -> [StoredEvent] {
        let events = decidingEvents(of: purchase).map { EntitlementProjection.evidence(of: $0).events } ?? []
        return stored(of: purchase).filter { events.contains($0.event) }
    }

    func appAccountToken(of purchase: TransactionID, in latest: String) -> CustomerID? {
        let transactions = transactions(of: purchase).map(\.transaction).filter { $0.appAccountToken != nil }
        return
            (transactions.last { $0.periodID == latest && !$0.isRevoked } ?? transactions.last { $0.periodID == latest }
            ?? transactions.last)?.appAccountToken
    }

    func transaction(_ id: TransactionID, of purchase: TransactionID) -> SignedEvent? {
        stored(of: purchase).map(\.event).filter { $0.transaction.transactionId == id }.max { $0.hasOlderTransaction(than: $1) }
    }

    func transactions(of purchase: TransactionID) -> [SignedEvent] {
        Set(stored(of: purchase).map(\.event.transaction.transactionId)).compactMap { transaction($0, of: purchase) }
            .sorted { ($0.transaction.paidUntil, $0.transaction.transactionId) < ($1.transaction.paidUntil, $1.transaction.transactionId) }
    }

    func latestTransactions(limit: Int) -> [SignedEvent] {
        let all = records.events.keys.flatMap { transactions(of: $0) }.sorted {
            ($0.transaction.purchaseDate, $0.transaction.transactionId) > ($1.transaction.purchaseDate, $1.transaction.transactionId)
        }
        return Array(all.prefix(max(0, limit)))
    }

    func revokedPercentage(ofCharge charge: String, of purchase: TransactionID) -> Int {
        CreditRule.revokedPercentage(by: stored(of: purchase).map(\.event.transaction).filter { CreditRule.charge(of: $0) == charge })
    }

    func purchase(_ purchase: TransactionID) -> PurchaseRecord? { records.purchases[purchase] }

    func put(_ purchase: PurchaseRecord) { records.purchases[purchase.originalTransactionID] = purchase }

    func purchases(of customer: CustomerID) -> [PurchaseRecord] {
        records.purchases.values.filter { $0.customer == customer || $0.sharedWith.contains(customer) }
            .sorted { $0.originalTransactionID < $1.originalTransactionID }
    }

    func purchases(of customer: CustomerID, product: ProductID) -> [PurchaseRecord] {
        purchases(of: customer).filter { $0.timeline.products.contains(product) }
    }

    func products(of customer: CustomerID) -> [ProductID] { Set(purchases(of: customer).flatMap(\.timeline.products)).sorted() }

    func insert(_ claim: PurchaseClaim) { records.claims.append(claim) }

    func claims(of purchase: TransactionID) -> [PurchaseClaim] { records.claims.filter { $0.purchase == purchase } }
}

// The ledger
extension MemoryTransaction {
    func balance(of customer: CustomerID, in currency: CurrencyID) -> CreditBalance {
        records.balances[.init(customer: customer, currency: currency)] ?? CreditBalance()
    }

    func currencies(of customer: CustomerID) -> [CurrencyID] {
        records.balances.keys.filter { $0.customer == customer }.map(\.currency).sorted()
    }

    func post(_ posting: LedgerPosting, balance: CreditBalance) throws -> Int64 {
        let account = MemoryRecords.Account(customer: posting.customer, currency: posting.currency)
        guard self.posting(posting.kind, key: posting.key, of: posting.customer, in: posting.currency) == nil else {
            throw StorageError.failed("a posting with the key exists")
        }
        let number = Int64(records.postings[account, default: []].count) + 1
        records.balances[account] = balance
        records.postings[account, default: []].append(
            LedgerPosting(
                customer: posting.customer, currency: posting.currency, key: posting.key, kind: posting.kind, entries: posting.entries,
                balance: posting.balance, date: posting.date, number: number))
        return number
    }

    func posting(_ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID) -> LedgerPosting? {
        records.postings[.init(customer: customer, currency: currency), default: []].first { $0.kind == kind && $0.key == key }
    }

    func postings(of customer: CustomerID, in currency: CurrencyID, before number: Int64?, limit: Int) -> [LedgerPosting] {
        let all = records.postings[.init(customer: customer, currency: currency), default: []]
        return Array(all.filter { $0.number < number ?? .max }.reversed().prefix(max(0, limit)))
    }

    func credit(ofCharge charge: String, of purchase: TransactionID) -> PurchaseCredit? { records.credits[purchase]?[charge] }

    func put(_ credit: PurchaseCredit) { records.credits[credit.purchase, default: [:]][credit.charge] = credit }

    func insert(_ decision: CreditDecision) {
        records.decisions.removeAll { $0.purchase == decision.purchase && $0.kind == decision.kind && $0.key == decision.key }
        records.decisions.append(decision)
    }

    func creditDecisions(of purchase: TransactionID) -> [CreditDecision] {
        records.decisions.filter { $0.purchase == purchase }.sorted { $0.date < $1.date }
    }

    func accountTotals() -> [CurrencyID: [LedgerAccount: Int64]] {
        var totals: [CurrencyID: [LedgerAccount: Int64]] = [:]
        for posting in records.postings.values.joined() {
            for entry in posting.entries { totals[posting.currency, default: [:]][entry.account, default: 0] += entry.amount }
        }
        return totals
    }
}

// Customers, their tokens, consents and grants, and API keys
extension MemoryTransaction {
    func customer(_ id: CustomerID) -> CustomerRecord? { records.customers[id] }

    func put(_ customer: CustomerRecord) { records.customers[customer.id] = customer }

    func customersMerged(into customer: CustomerID) -> [CustomerID] {
        records.customers.values.filter { $0.mergedInto == customer }.map(\.id).sorted()
    }

    func customer(alias: String) -> CustomerID? { records.aliases[OpaqueText(alias)] }

    func aliases(of customer: CustomerID) -> [String] { records.aliases.filter { $0.value == customer }.keys.sorted().map(\.rawValue) }

    func setAlias(_ alias: String, of customer: CustomerID?) { records.aliases[OpaqueText(alias)] = customer }

    func customer(tokenDigest: Data) -> CustomerID? { records.tokens[tokenDigest]?.customer }

    func insertToken(_ digest: Data, of customer: CustomerID, createdAt: Timestamp, limit: Int) {
        records.tokens[digest] = .init(customer: customer, createdAt: createdAt)
        let newestFirst = records.tokens.filter { $0.value.customer == customer }.sorted { $0.value.createdAt > $1.value.createdAt }
        for (digest, _) in newestFirst.dropFirst(max(1, limit)) { records.tokens[digest] = nil }
    }

    func moveTokens(of customer: CustomerID, to other: CustomerID?) {
        for (digest, token) in records.tokens where token.customer == customer {
            records.tokens[digest] = other.map { .init(customer: $0, createdAt: token.createdAt) }
        }
    }

    func tokens(of customer: CustomerID) -> [Data] {
        records.tokens.filter { $0.value.customer == customer }.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func moveToken(_ digest: Data, of customer: CustomerID, to other: CustomerID) {
        guard let token = records.tokens[digest], token.customer == customer else { return }
        records.tokens[digest] = .init(customer: other, createdAt: token.createdAt)
    }

    func merge(of merged: CustomerID, into customer: CustomerID) -> CustomerMergeRecord? {
        records.merges.first { $0.customer == customer && $0.merged == merged }
    }

    func merges(into customer: CustomerID, limit: Int) -> [CustomerMergeRecord] {
        Array(records.merges.filter { $0.customer == customer }.sorted { ($1.date, $0.merged) < ($0.date, $1.merged) }.prefix(limit))
    }

    func put(_ merge: CustomerMergeRecord) {
        records.merges.removeAll { $0.customer == merge.customer && $0.merged == merge.merged }
        records.merges.append(merge)
    }

    func deleteMerges(of customer: CustomerID) { records.merges.removeAll { $0.customer == customer || $0.merged == customer } }

    func consumptionConsent(of customer: CustomerID) -> Timestamp? { records.consents[customer] }

    func setConsumptionConsent(_ date: Timestamp?, of customer: CustomerID) { records.consents[customer] = date }

    func grants(of customer: CustomerID) -> [EntitlementGrant] {
        records.grants.filter { $0.customer == customer }
            .sorted { ($0.grantedAt, $0.entitlement) < ($1.grantedAt, $1.entitlement) }
    }

    func put(_ grant: EntitlementGrant) {
        records.grants.removeAll {
            $0.customer == grant.customer && $0.entitlement == grant.entitlement && $0.grantedAt == grant.grantedAt
        }
        records.grants.append(grant)
    }

    func delete(_ grant: EntitlementGrant) {
        records.grants.removeAll {
            $0.customer == grant.customer && $0.entitlement == grant.entitlement && $0.grantedAt == grant.grantedAt
        }
    }

    func moveGrants(of customer: CustomerID, to other: CustomerID?) {
        let moved = grants(of: customer)
        records.grants.removeAll { $0.customer == customer }
        guard let other else { return }
        for grant in moved {
            put(
                EntitlementGrant(
                    customer: other, entitlement: grant.entitlement, grantedAt: grant.grantedAt, until: grant.until, reason: grant.reason,
                    revokedAt: grant.revokedAt))
        }
    }

    func apiKey(digest: Data) -> APIKeyRecord? { records.keys[digest] }

    func apiKeys() -> [APIKeyRecord] { records.keys.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) } }

    func put(_ key: APIKeyRecord) { records.keys[key.digest] = key }
}

// The catalog and the content
extension MemoryTransaction {
    func catalogRevision() -> Int64 { records.catalogRevision }

    func products() -> [ServerProduct] { records.products.values.sorted { $0.id < $1.id } }

    func put(_ product: ServerProduct) {
        records.products[product.id] = product
        records.catalogRevision += 1
    }

    func fileProducts() -> [ServerProduct] { records.fileProducts }

    func setFileProducts(_ products: [ServerProduct]) { records.fileProducts = products.sorted { $0.id < $1.id } }

    func removeProduct(_ id: ProductID) -> Bool {
        guard records.products.removeValue(forKey: id) != nil else { return false }
        records.catalogRevision += 1
        return true
    }

    func contentVersions(of product: ProductID) -> [ContentVersion] { records.versions.filter { $0.product == product }.reversed() }

    func contentVersions() -> [ContentVersion] { Set(records.versions.map(\.product)).sorted().flatMap { contentVersions(of: $0) } }

    func insert(_ version: ContentVersion) throws {
        guard index(of: version.version, of: version.item, in: version.product) == nil else {
            throw StorageError.failed("the version exists")
        }
        records.versions.append(version)
    }

    func removeContentVersion(_ version: ContentVersionName, of item: ContentItemName, in product: ProductID) -> Bool {
        guard let index = index(of: version, of: item, in: product) else { return false }
        records.versions.remove(at: index)
        return true
    }

    private func index(of version: ContentVersionName, of item: ContentItemName, in product: ProductID) -> Int? {
        records.versions.firstIndex { $0.product == product && $0.item == item && $0.version == version }
    }

    func downloadTokenDates(of customer: CustomerID, for purchase: TransactionID, after date: Timestamp) -> [Timestamp] {
        records.downloadTokens.filter { $0.customer == customer && $0.purchase == purchase && $0.date > date }.map(\.date).sorted()
    }

    func insertDownloadToken(_ id: String, of customer: CustomerID, for purchase: TransactionID, issuedAt: Timestamp) {
        records.downloadTokens.append(.init(id: id, customer: customer, purchase: purchase, date: issuedAt))
    }

    func removeDownloadTokens(issuedUntil date: Timestamp) { records.downloadTokens.removeAll { $0.date <= date } }
}

// Notifications, requests, reconciliation and secrets
extension MemoryTransaction {
    func insert(_ notification: ReceivedNotification) -> Bool {
        guard records.notifications[notification.uuid] == nil else { return false }
        records.notifications[notification.uuid] = notification
        return true
    }

    func isStored(notification uuid: String) -> Bool { records.notifications[uuid] != nil }

    func notification(_ uuid: String) -> ReceivedNotification? { records.notifications[uuid] }

    func notifications(signedAfter date: Timestamp, _ uuid: String, limit: Int) -> [ReceivedNotification] {
        let rest = latestNotifications(limit: .max).reversed().filter { ($0.signedDate, $0.uuid) > (date, uuid) }
        return Array(rest.prefix(max(0, limit)))
    }

    func latestNotifications(limit: Int) -> [ReceivedNotification] {
        Array(records.notifications.values.sorted { $0.signedDate > $1.signedDate }.prefix(max(0, limit)))
    }

    func unknownNotifications(limit: Int) -> [ReceivedNotification] {
        Array(latestNotifications(limit: .max).filter { records.unknownNotifications.contains($0.uuid) }.prefix(max(0, limit)))
    }

    func removeUnknown(notification uuid: String) { records.unknownNotifications.remove(uuid) }

    func insert(unknown notification: ReceivedNotification) { records.unknownNotifications.insert(notification.uuid) }

    func insert(_ refused: RefusedNotification) { records.refused = [refused] + records.refused.prefix(RefusedNotification.limit - 1) }

    func refusedNotifications(limit: Int) -> [RefusedNotification] { Array(records.refused.prefix(max(0, limit))) }

    func importProgress(ofFile digest: String) -> ImportProgress? { records.imports[digest] }

    func put(_ progress: ImportProgress) { records.imports[progress.file] = progress }

    func insert(_ comparison: VerifyReceiptComparison) {
        records.comparisons = [comparison] + records.comparisons.prefix(VerifyReceiptComparison.limit - 1)
    }

    func verifyReceiptComparisons(limit: Int) -> [VerifyReceiptComparison] { Array(records.comparisons.prefix(max(0, limit))) }

    func put(_ request: AppStoreRequest) {
        remove(request)
        records.requests.append(request)
    }

    func requests(in partition: Int, dueAt date: Timestamp, limit: Int) -> [AppStoreRequest] {
        let due = records.requests.filter { QueuePartition.number(of: $0.purchase) == partition && $0.dueAt <= date }
        return Array(due.sorted { $0.dueAt < $1.dueAt }.prefix(max(0, limit)))
    }

    func claimRequests(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) -> [AppStoreRequest] {
        let claimed = requests(in: partition, dueAt: date, limit: limit)
        for var request in claimed {
            request.dueAt = later
            put(request)
        }
        return claimed
    }

    func remove(_ request: AppStoreRequest) {
        records.requests.removeAll { $0.kind == request.kind && $0.purchase == request.purchase && $0.key == request.key }
    }

    func reconciliation(in environment: AppEnvironment) -> ReconciliationProgress? { records.progress[environment] }

    func put(_ progress: ReconciliationProgress) { records.progress[progress.environment] = progress }

    func lookups(in partition: Int, dueAt date: Timestamp, limit: Int) -> [PurchaseLookup] {
        let due = records.lookups.values.filter { QueuePartition.number(of: $0.purchase) == partition && $0.dueAt <= date }
        return Array(due.sorted { $0.dueAt < $1.dueAt }.prefix(max(0, limit)))
    }

    func claimLookups(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) -> [PurchaseLookup] {
        let claimed = lookups(in: partition, dueAt: date, limit: limit)
        for lookup in claimed { put(PurchaseLookup(purchase: lookup.purchase, dueAt: later, askedAt: lookup.askedAt)) }
        return claimed
    }

    func lookup(of purchase: TransactionID) -> PurchaseLookup? { records.lookups[purchase] }

    func put(_ lookup: PurchaseLookup) { records.lookups[lookup.purchase] = lookup }

    func removeLookup(of purchase: TransactionID) { records.lookups[purchase] = nil }

    func secret(_ name: String) -> Data? { records.secrets[name] }

    func secretNames() -> [String] { records.secrets.keys.sorted() }

    func put(_ secret: Data, named name: String) { records.secrets[name] = secret }

    func removeSecret(_ name: String) { records.secrets[name] = nil }
}
