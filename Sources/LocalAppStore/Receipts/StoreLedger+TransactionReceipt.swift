import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProof

extension StoreLedger {
    /// Returns the receipt of one transaction of a device's account and app (`SKPaymentTransaction.transactionReceipt`).
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction does not exist or belongs to another account or app.
    func transactionReceipt(of id: TransactionID, for session: SessionRecord) async throws -> Data {
        let row = try await read { db in try TransactionRecord.find(id, db) }
        guard let row, row.account == session.account, row.bundleID == session.bundleID else { throw StoreError.transactionUnknown }
        return try transactionReceipt(row)
    }

    private func transactionReceipt(_ row: TransactionRecord) throws -> Data {
        let content = TransactionReceiptContent(
            transaction: row.payload(signedDate: clock.now), appVersion: row.appVersion, device: row.device)
        return try signer.sign(content)
    }

    /// Returns the `verifyReceipt` response to a verified receipt of one transaction; nil if the store does not have the transaction.
    func response(to receipt: VerifiedTransactionReceipt) async throws -> VerifyTransactionReceiptResponse? {
        let payload = receipt.payload
        let found = try await read { db -> (TransactionRecord, TransactionRecord?, SubscriptionRecord?)? in
            guard let row = try TransactionRecord.find(payload.transactionID, db), row.bundleID == payload.bundleID else { return nil }
            let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
            return (row, try TransactionRecord.newestPeriod(of: row.originalID, db), subscription)
        }
        guard let (row, newest, subscription) = found else { return nil }
        let app = apps[row.bundleID]
        var response = VerifyTransactionReceiptResponse(status: .valid, receipt: row.legacyMembers(of: app))
        guard let subscription, let newest else { return response }
        let renewal = renewalInfo(subscription, environment: row.environment, at: clock.now)
        response.environment = row.environment.rawValue
        response.autoRenewStatus = renewal.autoRenewStatus
        response.autoRenewProductID = renewal.autoRenewProductId
        response.expirationIntent = renewal.expirationIntent.map { String($0) }
        response.isInBillingRetryPeriod = renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        switch subscription.subscription.subscriptionStatus {
        case .active, .gracePeriod:
            response.latestReceiptInfo = newest.legacyMembers(of: app)
            response.latestReceipt = try transactionReceipt(newest).base64EncodedString()
        case .expired, .billingRetry, .revoked:
            response.status = .subscriptionExpired
            response.latestExpiredReceiptInfo = newest.legacyMembers(of: app)
        }
        return response
    }
}

extension TransactionRecord {
    /// Returns the transaction as `verifyReceipt` returns it for a transaction receipt: one object whose values are all strings.
    fileprivate func legacyMembers(of app: StoreApp?) -> [String: String] {
        // Receipts of the sandbox contain 0 as the identifiers of the app and of its version.
        let productionApp = environment == .production ? app : nil
        var members = [
            "transaction_id": id.rawValue, "original_transaction_id": originalID.rawValue, "product_id": productID.rawValue,
            "quantity": String(quantity), "bid": bundleID.rawValue, "bvrs": appVersion, "item_id": "0",
            "app_item_id": String(productionApp?.row.appAppleID ?? 0),
            "version_external_identifier": String(productionApp?.versionExternalID(appVersion) ?? 0),
            "unique_identifier": device.rawValue.replacing("-", with: ""),
            "unique_vendor_identifier": device.rawValue.uppercased(), "is_trial_period": isTrialPeriod ? "true" : "false",
            "in_app_ownership_type": ownership.rawValue,
        ]
        members.merge(DateTriplet(purchaseDate).members(named: "purchase_date")) { $1 }
        members.merge(DateTriplet(originalPurchaseDate).members(named: "original_purchase_date")) { $1 }
        if let cancelled = revokedAt ?? upgradedAt {
            members.merge(DateTriplet(cancelled).members(named: "cancellation_date")) { $1 }
            members["cancellation_reason"] = String(revocationReason ?? 0)
        }
        guard let expiresDate else { return members }
        let end = DateTriplet(expiresDate).members(named: "end")
        // Unlike the other dates, `expires_date` contains milliseconds since 1970 and has no suffix `_ms`.
        members["expires_date"] = end["end_ms"]
        members["expires_date_formatted"] = end["end"]
        members["expires_date_formatted_pst"] = end["end_pst"]
        members["web_order_line_item_id"] = webOrderLineItemID
        members["subscription_group_identifier"] = groupID?.rawValue
        members["is_in_intro_offer_period"] = isInIntroOfferPeriod ? "true" : "false"
        return members
    }
}
