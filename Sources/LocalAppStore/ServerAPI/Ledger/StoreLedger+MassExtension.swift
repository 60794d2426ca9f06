import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The number of renewal date extensions in one database transaction.
    private static let extensionsPerStep = 20

    /// Saves a mass renewal date extension, which later steps of the store carry out; a repeated request changes nothing.
    func requestMassExtension(_ body: Data, in scope: APIScope) async throws -> MassExtendRenewalDateResponse {
        let request = try MassExtendRenewalDateRequest(json: body)
        guard scope.app.catalog.product(request.productId)?.type == .autoRenewable else { throw ServerAPIError.invalidProductId }
        guard request.storefrontCountryCodes?.allSatisfy({ Storefront(countryCode: $0) != nil }) ?? true else {
            throw ServerAPIError.invalidStorefrontCountryCode
        }
        // UUIDs are compared case-insensitively.
        let row = MassExtensionRecord(
            bundleID: scope.bundleID, environment: scope.environment, requestIdentifier: request.requestIdentifier.lowercased(),
            productID: request.productId, storefronts: request.storefrontCountryCodes, days: request.extendByDays, lastProcessedRow: 0,
            succeeded: 0, failed: 0
        )
        try await write { db, _ in try row.insert(db, onConflict: .ignore) }
        return MassExtendRenewalDateResponse(requestIdentifier: request.requestIdentifier)
    }

    /// The progress of a mass renewal date extension.
    func massExtension(_ request: String, of product: String, in scope: APIScope) async throws -> MassExtendRenewalDateStatusResponse {
        guard !product.isEmpty else { throw ServerAPIError.invalidProductId }
        guard IdentifierText.uuid(request) != nil else { throw ServerAPIError.invalidRequestIdentifier }
        let found = try await read { db in try MassExtensionRecord.find(request.lowercased(), in: scope, db) }
        guard let row = found, row.productID == ProductID(product) else { throw ServerAPIError.statusRequestNotFound }
        guard let date = row.completeDate else { return MassExtendRenewalDateStatusResponse(requestIdentifier: request, complete: false) }
        return MassExtendRenewalDateStatusResponse(
            requestIdentifier: request, complete: true, completeDate: date, succeededCount: row.succeeded, failedCount: row.failed
        )
    }

    /// Continues the first incomplete request and returns the number of processed subscriptions: at least 1, or 0 if no request is
    /// incomplete.
    func continueMassExtension(at now: Timestamp, _ db: Database) throws -> Int {
        let sql = "SELECT * FROM massExtensions WHERE completeDate IS NULL ORDER BY rowid LIMIT 1"
        guard var massExtension = try MassExtensionRecord.fetchOne(db.cachedStatement(sql: sql)) else { return 0 }
        let subscribers = """
            SELECT rowid FROM subscriptions WHERE bundleID = ? AND purchaserTransactionID IS NULL AND rowid > ? ORDER BY rowid LIMIT ?
            """
        let rows = try Int64.fetchAll(
            db, sql: subscribers, arguments: [massExtension.bundleID.rawValue, massExtension.lastProcessedRow, Self.extensionsPerStep])
        for rowid in rows {
            massExtension.lastProcessedRow = rowid
            guard
                let row = try SubscriptionRecord.fetchOne(
                    db.cachedStatement(sql: "SELECT * FROM subscriptions WHERE rowid = ?"), arguments: [rowid]),
                row.subscription.productID == massExtension.productID,
                [.active, .gracePeriod].contains(row.subscription.subscriptionStatus),
                let newest = try TransactionRecord.newestPeriod(of: row.id, db), newest.environment == massExtension.environment,
                massExtension.storefronts?.contains(newest.storefront) ?? true
            else { continue }
            if row.refusal(ofExtensionBy: massExtension.days, at: now) == nil {
                try apply(.extended(days: massExtension.days), to: row, at: now, db)
                massExtension.succeeded += 1
            } else {
                try notify(StoreNotice(.renewalExtension, .failure), about: newest, row, at: now, db)
                massExtension.failed += 1
            }
        }
        if rows.count < Self.extensionsPerStep {
            massExtension.completeDate = now
            try notify(massExtension, at: now, db)
        }
        try massExtension.update(db)
        return max(rows.count, 1)
    }

    private func notify(_ massExtension: MassExtensionRecord, at now: Timestamp, _ db: Database) throws {
        var summary = NotificationSummary(bundleId: massExtension.bundleID, environment: massExtension.environment.rawValue)
        summary.requestIdentifier = massExtension.requestIdentifier
        summary.productId = massExtension.productID
        summary.storefrontCountryCodes = massExtension.storefronts
        summary.succeededCount = massExtension.succeeded
        summary.failedCount = massExtension.failed
        try notify(summary: summary, in: massExtension.bundleID, massExtension.environment, at: now, db)
    }
}
