import Foundation
import PurchaseModel
import PurchaseStorage

// API Key Records
extension ObservedTransaction {
    func apiKey(digest: Data) throws -> APIKeyRecord? { try base.apiKey(digest: digest) }

    func apiKeys() throws -> [APIKeyRecord] { try base.apiKeys() }

    func put(_ key: APIKeyRecord) throws { try base.put(key) }
}

// App Store Request Records
extension ObservedTransaction {
    func put(_ request: AppStoreRequest) throws { try base.put(request) }

    func requests(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [AppStoreRequest] {
        try base.requests(in: partition, dueAt: date, limit: limit)
    }

    func claimRequests(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [AppStoreRequest] {
        try base.claimRequests(in: partition, dueAt: date, until: later, limit: limit)
    }

    func remove(_ request: AppStoreRequest) throws { try base.remove(request) }
}

// Catalog Records
extension ObservedTransaction {
    func catalogRevision() throws -> Int64 { try base.catalogRevision() }

    func products() throws -> [ServerProduct] { try base.products() }

    func put(_ product: ServerProduct) throws { try base.put(product) }

    func removeProduct(_ id: ProductID) throws -> Bool { try base.removeProduct(id) }

    func fileProducts() throws -> [ServerProduct] { try base.fileProducts() }

    func setFileProducts(_ products: [ServerProduct]) throws { try base.setFileProducts(products) }
}

// Consent Records
extension ObservedTransaction {
    func consumptionConsent(of customer: CustomerID) throws -> Timestamp? { try base.consumptionConsent(of: customer) }

    func setConsumptionConsent(_ date: Timestamp?, of customer: CustomerID) throws { try base.setConsumptionConsent(date, of: customer) }
}

// Content Records
extension ObservedTransaction {
    func contentVersions(of product: ProductID) throws -> [ContentVersion] { try base.contentVersions(of: product) }

    func contentVersions() throws -> [ContentVersion] { try base.contentVersions() }

    func insert(_ version: ContentVersion) throws { try base.insert(version) }

    func removeContentVersion(_ version: ContentVersionName, of item: ContentItemName, in product: ProductID) throws -> Bool {
        try base.removeContentVersion(version, of: item, in: product)
    }

    func downloadTokenDates(of customer: CustomerID, for purchase: TransactionID, after date: Timestamp) throws -> [Timestamp] {
        try base.downloadTokenDates(of: customer, for: purchase, after: date)
    }

    func insertDownloadToken(_ id: String, of customer: CustomerID, for purchase: TransactionID, issuedAt: Timestamp) throws {
        try base.insertDownloadToken(id, of: customer, for: purchase, issuedAt: issuedAt)
    }

    func removeDownloadTokens(issuedUntil date: Timestamp) throws { try base.removeDownloadTokens(issuedUntil: date) }
}

// Import Progress Records
extension ObservedTransaction {
    func importProgress(ofFile digest: String) throws -> ImportProgress? { try base.importProgress(ofFile: digest) }

    func put(_ progress: ImportProgress) throws { try base.put(progress) }
}

// Refused Notification Records
extension ObservedTransaction {
    func insert(_ refused: RefusedNotification) throws { try base.insert(refused) }

    func refusedNotifications(limit: Int) throws -> [RefusedNotification] { try base.refusedNotifications(limit: limit) }
}

// Reconciliation Records
extension ObservedTransaction {
    func reconciliation(in environment: AppEnvironment) throws -> ReconciliationProgress? { try base.reconciliation(in: environment) }

    func put(_ progress: ReconciliationProgress) throws { try base.put(progress) }

    func lookups(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [PurchaseLookup] {
        try base.lookups(in: partition, dueAt: date, limit: limit)
    }

    func claimLookups(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [PurchaseLookup] {
        try base.claimLookups(in: partition, dueAt: date, until: later, limit: limit)
    }

    func lookup(of purchase: TransactionID) throws -> PurchaseLookup? { try base.lookup(of: purchase) }
}

// Secret Records
extension ObservedTransaction {
    func secret(_ name: String) throws -> Data? { try base.secret(name) }

    func secretNames() throws -> [String] { try base.secretNames() }

    func put(_ secret: Data, named name: String) throws { try base.put(secret, named: name) }

    func removeSecret(_ name: String) throws { try base.removeSecret(name) }
}

// Verify Receipt Comparison Records
extension ObservedTransaction {
    func insert(_ comparison: VerifyReceiptComparison) throws { try base.insert(comparison) }

    func verifyReceiptComparisons(limit: Int) throws -> [VerifyReceiptComparison] { try base.verifyReceiptComparisons(limit: limit) }
}

// Webhook Records
extension ObservedTransaction {
    func webhookEndpoints() throws -> [WebhookEndpoint] { try base.webhookEndpoints() }

    func webhookEndpoint(_ id: String) throws -> WebhookEndpoint? { try base.webhookEndpoint(id) }

    func put(_ endpoint: WebhookEndpoint) throws { try base.put(endpoint) }

    func remove(_ endpoint: WebhookEndpoint) throws { try base.remove(endpoint) }

    func webhookPosition(of endpoint: String) throws -> Int64? { try base.webhookPosition(of: endpoint) }

    func claimWebhookPosition(of endpoint: String) throws -> Int64? { try base.claimWebhookPosition(of: endpoint) }

    func putWebhookPosition(_ position: Int64, of endpoint: String) throws { try base.putWebhookPosition(position, of: endpoint) }

    func insert(_ delivery: WebhookDelivery) throws -> Bool { try base.insert(delivery) }

    func put(_ delivery: WebhookDelivery) throws { try base.put(delivery) }

    func remove(_ delivery: WebhookDelivery) throws { try base.remove(delivery) }

    func webhookDeliveries(to endpoint: String, in lane: String, limit: Int) throws -> [WebhookDelivery] {
        try base.webhookDeliveries(to: endpoint, in: lane, limit: limit)
    }

    func removeWebhookDeliveries(to endpoint: String, limit: Int) throws -> Int {
        try base.removeWebhookDeliveries(to: endpoint, limit: limit)
    }

    func claimWebhookLanes(
        of endpoint: String, dueAt date: Timestamp, until end: Timestamp, claim: String, limit: Int
    ) throws -> [WebhookLane] {
        try base.claimWebhookLanes(of: endpoint, dueAt: date, until: end, claim: claim, limit: limit)
    }

    func webhookLane(_ lane: String, of endpoint: String) throws -> WebhookLane? { try base.webhookLane(lane, of: endpoint) }

    func put(_ lane: WebhookLane) throws { try base.put(lane) }

    func remove(_ lane: WebhookLane) throws { try base.remove(lane) }

    func webhookLanes(of endpoint: String, dueAfter date: Timestamp?, limit: Int) throws -> [WebhookLane] {
        try base.webhookLanes(of: endpoint, dueAfter: date, limit: limit)
    }

    func insert(_ letter: WebhookDeadLetter) throws { try base.insert(letter) }

    func removeWebhookDeadLetter(_ message: String, of endpoint: String) throws {
        try base.removeWebhookDeadLetter(message, of: endpoint)
    }

    func webhookDeadLetter(_ message: String, of endpoint: String) throws -> WebhookDeadLetter? {
        try base.webhookDeadLetter(message, of: endpoint)
    }

    func webhookDeadLetters(of endpoint: String, after last: WebhookDeadLetter?, limit: Int) throws -> [WebhookDeadLetter] {
        try base.webhookDeadLetters(of: endpoint, after: last, limit: limit)
    }
}
