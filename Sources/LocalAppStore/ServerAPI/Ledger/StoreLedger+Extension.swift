import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Extends the renewal date of one subscription and of the Family Sharing entitlements to it.
    ///
    /// - Parameters:
    ///   - id: The original transaction identifier of the subscription.
    ///   - body: The JSON body of the request.
    /// - Throws: ``ServerAPIError`` if the identifier or the body is invalid, or the subscription is not eligible for the extension.
    func extend(_ id: String, _ body: Data, in scope: APIScope) async throws -> ExtendRenewalDateResponse {
        try await write { db, now in
            let original = try originalTransaction(id, in: scope, db)
            let request = try ExtendRenewalDateRequest(json: body)
            guard let row = try SubscriptionRecord.fetchOne(db, key: original.id.rawValue) else {
                throw ServerAPIError.subscriptionExtensionIneligible
            }
            if let refusal = row.refusal(ofExtensionBy: request.extendByDays, at: now) { throw ServerAPIError(refusal) }
            let extended = try apply(.extended(days: request.extendByDays), to: row, at: now, db)
            let newest = try TransactionRecord.newestPeriod(of: original.id, db) ?? original
            try insertEvent(.server, about: newest, at: now, detail: "renewal date extended by \(request.extendByDays) days", db)
            return ExtendRenewalDateResponse(
                originalTransactionId: original.id, webOrderLineItemId: newest.webOrderLineItemID, success: true,
                effectiveDate: extended.subscription.paidUntil
            )
        }
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
