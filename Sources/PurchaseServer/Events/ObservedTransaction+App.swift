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
}

// Verify Receipt Comparison Records
extension ObservedTransaction {
    func insert(_ comparison: VerifyReceiptComparison) throws { try base.insert(comparison) }

    func verifyReceiptComparisons(limit: Int) throws -> [VerifyReceiptComparison] { try base.verifyReceiptComparisons(limit: limit) }
}
