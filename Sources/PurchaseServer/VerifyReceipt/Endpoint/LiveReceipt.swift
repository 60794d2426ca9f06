import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// A verified receipt, with the server's current data about its purchases.
///
/// The type computes a response of `verifyReceipt` without side effects.
struct LiveReceipt: Sendable {
    let receipt: VerifiedReceipt
    /// The known purchases of the receipt, and other purchases of the same account.
    let known: [TransactionID: KnownPurchase]
    let catalog: ProductCatalog
    let now: Timestamp

    /// The transactions of the receipt as signed events, with product types from the catalog.
    private var received: [SignedEvent] {
        receipt.payload.purchases.map { VerifiedEvent($0, in: receipt).typed(by: catalog).event }
    }

    /// Whether a subscription of the receipt has ended, and its renewal is unconfirmed.
    ///
    /// The server forwards a request about an unconfirmed renewal to the App Store, because an answer from the records could end the access
    /// of a paying customer.
    var isContinuationUnknown: Bool {
        let periods = Dictionary(grouping: received.map(\.transaction).filter(\.isSubscription), by: \.originalTransactionId)
        let unknown = Set(periods.keys).subtracting(known.keys).union(known.filter(\.value.isContinuationUnknown).keys)
        return unknown.contains { id in periods[id, default: []].allSatisfy { $0.paidUntil <= now && !$0.isRevoked } }
    }

    /// Returns the response of `verifyReceipt` about the receipt.
    ///
    /// - Parameters:
    ///   - excludesOld: Whether `latest_receipt_info` contains only the newest period of each subscription.
    ///   - isLive: Whether the response contains `latest_receipt_info`, `latest_receipt` and `pending_renewal_info`.
    func response(excludesOld: Bool, isLive: Bool) -> VerifyReceiptResponse {
        var response = VerifyReceiptResponse(status: .valid)
        response.environment = receipt.payload.environment.rawValue
        var body = VerifyReceiptBody(receipt: receipt.payload)
        body.requestDate = DateTriplet(now)
        body.inApp = receipt.payload.purchases.map(inApp)
        response.receipt = body
        let latest = latestTransactions
        let isSubscription = latest.contains { $0.event.transaction.isSubscription }
        guard isLive, isSubscription || catalog.products.contains(where: { $0.type == .autoRenewable }) else { return response }
        var seen: Set<TransactionID> = []
        // Sort upgraded entries last: a renewal that an upgrade replaced before its start has a later date than the upgrade.
        let newestFirst = excludesOld ? latest.filter { !$0.entry.isUpgraded } + latest.filter(\.entry.isUpgraded) : latest
        response.latestReceiptInfo = newestFirst.filter { element in
            let transaction = element.event.transaction
            return !excludesOld || !transaction.isSubscription || seen.insert(transaction.originalTransactionId).inserted
        }.map(\.entry)
        response.pendingRenewalInfo = known.sorted { $0.key < $1.key }.compactMap { $0.value.renewal.map { VerifyReceiptRenewal($0) } }
        // Return the original receipt, because only the App Store can sign a new receipt.
        response.latestReceipt = Data(receipt.original).base64EncodedString()
        return response
    }

    /// Returns the element of `in_app` for a purchase of the receipt, including a later refund.
    private func inApp(_ purchase: ReceiptPurchase) -> VerifyReceiptPurchase {
        var entry = VerifyReceiptPurchase(purchase: purchase)
        entry.ownershipType = entry.ownershipType ?? Ownership.purchased.rawValue
        let newest = known[purchase.originalTransactionID]?.transactions.first { $0.transaction.transactionId == purchase.transactionID }
        guard let newest = newest?.transaction else { return entry }
        // Remove the cancellation if a newer version has no revocation, because the refund was reversed.
        if newest.isRevoked || newest.signedDate > purchase.cancellationDate ?? newest.signedDate {
            entry.setCancellation(newest.refundDate, reason: newest.refundReason)
        }
        return entry
    }

    /// The transactions of `latest_receipt_info`, newest first.
    private var latestTransactions: [(event: SignedEvent, entry: VerifyReceiptPurchase)] {
        let entries = Dictionary(receipt.payload.purchases.map { ($0.transactionID, $0) }) { first, _ in first }
        var events = Dictionary(received.map { ($0.transaction.transactionId, $0) }) { first, _ in first }
        for event in known.values.flatMap(\.transactions) { events[event.transaction.transactionId] = event }
        let periodsOfPurchase = Dictionary(
            grouping: events.values.map(\.transaction).filter(\.isSubscription), by: \.originalTransactionId)
        let listed = events.values.filter { event in
            let transaction = event.transaction
            if transaction.isSubscription || entries[transaction.transactionId] != nil { return true }
            // Exclude a consumable that the receipt lacks, because the app may have finished the transaction. Exclude the later
            // transactions of a non-consumable, which are restores.
            return transaction.productType != .consumable && transaction.transactionId == transaction.originalTransactionId
        }.sorted {
            ($0.transaction.purchaseDate, $0.transaction.transactionId) < ($1.transaction.purchaseDate, $1.transaction.transactionId)
        }
        var periods: Set<OpaqueText> = []
        return listed.filter { event in
            // Keep the earliest transaction of a period, because a restore of the period has the same order line and a later date.
            let transaction = event.transaction
            guard transaction.isSubscription else { return true }
            return periods.insert(OpaqueText("\(transaction.originalTransactionId) \(transaction.periodID)")).inserted
        }.reversed().map { event in
            let transaction = event.transaction
            let upgrade = transaction.upgrade(among: periodsOfPurchase[transaction.originalTransactionId, default: []])
            return (event, entry(event, of: entries[transaction.transactionId], upgradedAt: upgrade))
        }
    }

    /// Returns the element of `latest_receipt_info` for a transaction, with the details of a signed transaction or of the receipt.
    private func entry(_ event: SignedEvent, of purchase: ReceiptPurchase?, upgradedAt: Timestamp?) -> VerifyReceiptPurchase {
        var entry: VerifyReceiptPurchase
        if event.isFromReceipt, let purchase {
            entry = inApp(purchase)
            entry.subscriptionGroupIdentifier = event.transaction.subscriptionGroupIdentifier
        } else {
            entry = VerifyReceiptPurchase(event.transaction, upgradedAt: upgradedAt, inReceipt: false)
            entry.isUpgraded = entry.isUpgraded || upgradedAt != nil
            entry.ownershipType = entry.ownershipType ?? Ownership.purchased.rawValue
            if let canceled = purchase?.cancellationDate, event.transaction.signedDate < canceled {
                entry.setCancellation(canceled, reason: purchase?.cancellationReason.map { Int($0) })
            }
        }
        if event.transaction.isSubscription, entry.subscriptionGroupIdentifier == nil {
            entry.subscriptionGroupIdentifier = catalog[event.transaction.productId]?.subscriptionGroupID
        }
        return entry
    }
}

extension TransactionPayload {
    /// Returns the start of the upgrade that replaced the period; nil without an upgrade.
    ///
    /// The App Store signs the replaced period again, but no notification contains the new version. Only an upgrade, or a change to another
    /// product of the same level, begins before the current period ends. An upgrade can also replace a period that is
    /// already charged and has not begun.
    func upgrade(among periods: [TransactionPayload]) -> Timestamp? {
        guard !isRevoked else { return nil }
        let ends = Set(periods.map(\.paidUntil))
        func isRenewal(_ period: TransactionPayload) -> Bool {
            period.transactionReason.map { $0 == TransactionReason.renewal.rawValue } ?? ends.contains(period.purchaseDate)
        }
        let next = periods.filter { $0.purchaseDate > purchaseDate }.min { $0.purchaseDate < $1.purchaseDate }
        // If the next period is already charged, an upgrade replaces the next period, not the current period.
        let isRenewed = periods.contains { isRenewal($0) && $0.purchaseDate == paidUntil }
        if let next, isUpgraded == true || !isRenewed && !isRenewal(next) && next.productId != productId && next.purchaseDate < paidUntil {
            return next.purchaseDate
        }
        let replacing = periods.filter { upgrade in
            !isRenewal(upgrade) && upgrade.productId != productId && upgrade.purchaseDate < purchaseDate && purchaseDate < upgrade.paidUntil
                && purchaseDate.milliseconds(since: upgrade.purchaseDate) <= EntitlementProjection.chargedAhead
        }
        return isRenewal(self) ? replacing.map(\.purchaseDate).max() : nil
    }
}
