import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that extends renewal dates as a developer's server requests.
struct ExtensionService: Sendable {
    let context: StoreContext
    let subscriptions: SubscriptionService
    let notices: NoticeService

    /// Extends the renewal date of one subscription and of the Family Sharing entitlements to it.
    ///
    /// - Parameters:
    ///   - id: The original transaction identifier of the subscription.
    ///   - body: The JSON body of the request.
    /// - Throws: ``ServerAPIError`` if the identifier or the body is invalid, or the subscription is not eligible for the extension.
    func extend(_ id: String, _ body: Data, in scope: APIScope) async throws -> ExtendRenewalDateResponse {
        try await context.transaction { db, now in
            let original = try scope.originalTransaction(id, db)
            let request = try ExtendRenewalDateRequest(json: body)
            guard let row = try SubscriptionRecord.fetchOne(db, key: original.id.rawValue) else {
                throw ServerAPIError.subscriptionExtensionIneligible
            }
            if let refusal = row.refusal(ofExtensionBy: request.extendByDays, at: now) { throw ServerAPIError(refusal) }
            let extended = try subscriptions.apply(.extended(days: request.extendByDays), to: row, at: now, db)
            let newest = try TransactionRecord.newestPeriod(of: original.id, db) ?? original
            let detail = "renewal date extended by \(request.extendByDays) days"
            try notices.post(StoreNotice(.server, detail: detail, about: newest), at: now, db)
            return ExtendRenewalDateResponse(
                originalTransactionId: original.id, webOrderLineItemId: newest.webOrderLineItemID, success: true,
                effectiveDate: extended.subscription.paidUntil
            )
        }
    }

    /// The maximum number of subscriptions that one database transaction of a mass renewal date extension processes.
    private static let extensionsPerStep = 20

    /// Saves a request to extend the renewal date for all subscribers of a product; a repeated request changes nothing.
    ///
    /// The store extends the subscriptions afterwards, in several steps.
    ///
    /// - Throws: ``ServerAPIError`` if the request, its product or a storefront is invalid.
    func requestMassExtension(_ body: Data, in scope: APIScope) async throws -> MassExtendRenewalDateResponse {
        let request = try MassExtendRenewalDateRequest(json: body)
        guard scope.app.catalog.product(request.productId)?.type == .autoRenewable else { throw ServerAPIError.invalidProductId }
        guard request.storefrontCountryCodes?.allSatisfy({ Storefront(countryCode: $0) != nil }) ?? true else {
            throw ServerAPIError.invalidStorefrontCountryCode
        }
        // Request identifiers are UUIDs, which are compared without regard to case, so they are stored in lowercase.
        let row = MassExtensionRecord(
            bundleID: scope.bundleID, environment: scope.environment, requestIdentifier: request.requestIdentifier.lowercased(),
            productID: request.productId, storefronts: request.storefrontCountryCodes, days: request.extendByDays, lastProcessedRow: 0,
            succeeded: 0, failed: 0
        )
        try await context.transaction { db, _ in try row.insert(db, onConflict: .ignore) }
        return MassExtendRenewalDateResponse(requestIdentifier: request.requestIdentifier)
    }

    /// Returns the status of a mass renewal date extension.
    ///
    /// - Parameters:
    ///   - request: The request identifier, a UUID.
    ///   - product: The product identifier of the request.
    /// - Throws: ``ServerAPIError`` if an identifier is invalid or the app has no such request.
    func massExtension(_ request: String, of product: String, in scope: APIScope) async throws -> MassExtendRenewalDateStatusResponse {
        guard !product.isEmpty else { throw ServerAPIError.invalidProductId }
        guard IdentifierText.uuid(request) != nil else { throw ServerAPIError.invalidRequestIdentifier }
        let found = try await context.read { db in try MassExtensionRecord.find(request.lowercased(), in: scope, db) }
        guard let row = found, row.productID == ProductID(product) else { throw ServerAPIError.statusRequestNotFound }
        guard let date = row.completeDate else { return MassExtendRenewalDateStatusResponse(requestIdentifier: request, complete: false) }
        return MassExtendRenewalDateStatusResponse(
            requestIdentifier: request, complete: true, completeDate: date, succeededCount: row.succeeded, failedCount: row.failed
        )
    }

    /// Processes the next subscriptions of the first incomplete mass renewal date extension, and returns their number.
    ///
    /// The result is at least 1, or 0 if no request is incomplete.
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
                [.active, .gracePeriod].contains(row.subscription.status),
                let newest = try TransactionRecord.newestPeriod(of: row.id, db), newest.environment == massExtension.environment,
                massExtension.storefronts?.contains(newest.storefront) ?? true
            else { continue }
            if row.refusal(ofExtensionBy: massExtension.days, at: now) == nil {
                try subscriptions.apply(.extended(days: massExtension.days), to: row, at: now, db)
                massExtension.succeeded += 1
            } else {
                try notices.post(StoreNotice(.extensionFailed, about: newest, row), at: now, db)
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
        try notices.notify(summary: summary, in: massExtension.bundleID, massExtension.environment, at: now, db)
    }
}

extension SubscriptionRecord {
    /// Returns the reason for which the subscription's renewal date cannot be extended; nil if it can.
    ///
    /// A Family Sharing entitlement can never be extended.
    func refusal(ofExtensionBy days: Int, at now: Timestamp) -> ExtensionRefusal? {
        purchaserTransactionID == nil ? subscription.refusal(ofExtensionBy: days, at: now) : .familyShared
    }
}

extension ServerAPIError {
    /// Creates the App Store Server API error for a refused renewal date extension.
    init(_ refusal: ExtensionRefusal) {
        self =
            switch refusal {
            case .invalidDays: .invalidExtendByDays
            case .freePeriod, .gracePeriod, .billingRetry, .expired, .revoked: .subscriptionExtensionIneligible
            case .extensionLimitReached: .subscriptionMaxExtension
            case .familyShared: .familySharedSubscriptionExtensionIneligible
            }
    }
}
