import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// A verified receipt of one transaction (iOS 6 and earlier), with the server's current data about its purchase.
struct LiveTransactionReceipt: Sendable {
    let receipt: VerifiedTransactionReceipt
    /// The App Store's environment that contains the transaction.
    let environment: AppEnvironment
    /// The server's data about the purchase; nil for an unknown purchase.
    let known: KnownPurchase?
    /// The entitlement of the purchase; nil for an unknown purchase.
    let entitlement: Entitlement?
    let now: Timestamp

    /// Whether the subscription has ended, and its renewal is unconfirmed.
    var isContinuationUnknown: Bool {
        guard let known else {
            let own = VerifiedEvent(receipt, confirmedIn: environment).event.transaction
            return own.isSubscription && own.paidUntil <= now && !own.isRevoked
        }
        return known.isContinuationUnknown
    }

    /// Returns the response of `verifyReceipt` about the transaction receipt.
    ///
    /// - Parameter isLive: Whether the response contains the newest period of a subscription.
    func response(isLive: Bool) -> VerifyTransactionReceiptResponse {
        let own = VerifiedEvent(receipt, confirmedIn: environment).event
        let periods = (known?.transactions ?? [own]).map(\.transaction)
        let bought = periods.first { $0.transactionId == receipt.payload.transactionID } ?? own.transaction
        var response = VerifyTransactionReceiptResponse(status: .valid, receipt: members(of: bought))
        let running = periods.first { $0.isSubscription && $0.transactionId == entitlement?.transactionID }
        guard let newest = running ?? periods.filter(\.isSubscription).max(by: { $0.periodStart < $1.periodStart }) else { return response }
        response.environment = environment.rawValue
        if isLive, let renewal = known?.renewal {
            response.autoRenewStatus = renewal.autoRenewStatus
            response.autoRenewProductID = renewal.autoRenewProductId
            response.expirationIntent = renewal.expirationIntent.map { String($0) }
            response.isInBillingRetryPeriod = renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        }
        let isActive = entitlement?.access(at: now).isGranted ?? (newest.paidUntil > now && !newest.isRevoked)
        if !isActive { response.status = .subscriptionExpired }
        guard isLive else { return response }
        if isActive {
            response.latestReceiptInfo = members(of: newest)
            // Return the original receipt, because only the App Store can sign a receipt of the newest period.
            response.latestReceipt = Data(receipt.original).base64EncodedString()
        } else {
            response.latestExpiredReceiptInfo = members(of: newest)
        }
        return response
    }

    /// Returns the members about a transaction, with the receipt's members about the app and the device.
    private func members(of transaction: TransactionPayload) -> [String: String] {
        var members = transaction.transactionReceiptMembers(
            upgradedAt: transaction.upgrade(among: known?.transactions.map(\.transaction) ?? []))
        members["in_app_ownership_type"] = members["in_app_ownership_type"] ?? Ownership.purchased.rawValue
        for entry in receipt.payload.entries {
            let name = entry.name.replacing("-", with: "_")
            let isShared =
                Self.appMembers.contains(name) || transaction.transactionId == receipt.payload.transactionID
                || name == "item_id" && transaction.productId == receipt.payload.productID
            if isShared, members[name] == nil { members[name] = entry.value }
        }
        // State 0 in the sandbox, which has no identifiers of apps and products.
        if environment == .sandbox {
            for name in ["app_item_id", "version_external_identifier", "item_id"] { members[name] = members[name] ?? "0" }
        }
        return members
    }

    /// The members about the app and the device, which are the same for all transactions.
    private static let appMembers: Set<String> = [
        "bvrs", "unique_identifier", "unique_vendor_identifier", "app_item_id", "version_external_identifier",
    ]
}
