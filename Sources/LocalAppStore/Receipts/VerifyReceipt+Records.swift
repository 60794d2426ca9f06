import PurchaseModel
import PurchaseProof

extension VerifyReceiptPurchase {
    /// Creates the entry for a transaction in a `verifyReceipt` response.
    ///
    /// - Parameter inReceipt: Whether the entry is in `in_app` of the receipt; with false, it is in `latest_receipt_info`, which has more
    ///   members.
    init(_ row: TransactionRecord, inReceipt: Bool) {
        self.init(quantity: row.quantity, productID: row.productID, transactionID: row.id, originalTransactionID: row.originalID)
        purchaseDate = DateTriplet(row.purchaseDate)
        originalPurchaseDate = DateTriplet(row.originalPurchaseDate)
        expiresDate = row.expiresDate.map { DateTriplet($0) }
        // An upgrade cancels the rest of the subscription period, which `latest_receipt_info` states and `in_app` does not.
        let cancelled = row.revokedAt ?? (inReceipt ? nil : row.upgradedAt)
        cancellationDate = cancelled.map { DateTriplet($0) }
        cancellationReason = cancelled.map { _ in String(row.revocationReason ?? 0) }
        webOrderLineItemID = row.webOrderLineItemID
        isTrialPeriod = row.isTrialPeriod
        isInIntroOfferPeriod = row.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        ownershipType = row.ownership.rawValue
        guard !inReceipt else { return }
        subscriptionGroupIdentifier = row.groupID
        offerCodeRefName = row.offerType == OfferType.code.rawValue ? row.offerID : nil
        isUpgraded = row.upgradedAt != nil
        appAccountToken = row.appAccountToken
    }
}

extension TransactionRecord {
    /// Whether the subscription period is a free trial.
    var isTrialPeriod: Bool { offerMode == OfferDiscountType.freeTrial.rawValue }
    /// Whether the subscription period has the price of an introductory offer that is not a free trial.
    var isInIntroOfferPeriod: Bool { offerType == OfferType.introductory.rawValue && !isTrialPeriod }
}

extension VerifyReceiptRenewal {
    /// Creates the entry for a subscription in `pending_renewal_info` of a `verifyReceipt` response.
    init(_ renewal: RenewalInfoPayload) {
        self.init(
            productID: renewal.productId ?? "", originalTransactionID: renewal.originalTransactionId,
            autoRenewStatus: renewal.autoRenewStatus == 1 ? "1" : "0"
        )
        autoRenewProductID = renewal.autoRenewProductId ?? productID
        expirationIntent = renewal.expirationIntent.map { String($0) }
        isInBillingRetryPeriod = renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        gracePeriodExpiresDate = renewal.gracePeriodExpiresDate.map { DateTriplet($0) }
        priceIncreaseStatus = renewal.priceIncreaseStatus.map { String($0) }
        priceConsentStatus = priceIncreaseStatus
        promotionalOfferID = renewal.offerType == OfferType.promotional.rawValue ? renewal.offerIdentifier : nil
        offerCodeRefName = renewal.offerType == OfferType.code.rawValue ? renewal.offerIdentifier : nil
    }
}

/// The store's current data about the account to which a receipt belongs, for a `verifyReceipt` response.
struct ReceiptAccountData: Sendable {
    /// The current state of the transactions that the receipt contains.
    var inApp: [TransactionRecord] = []
    /// The transactions that a new receipt of the account contains, oldest first: all except finished consumables.
    var latest: [TransactionRecord] = []
    /// The account's subscriptions in the receipt's app.
    var subscriptions: [SubscriptionRecord] = []
    /// The device to which the receipt belongs; nil for a receipt without transactions, whose device is unknown.
    var device: DeviceID?

    /// The transactions of `latest_receipt_info`, newest first.
    var newestFirst: [TransactionRecord] { latest.reversed() }

    /// The transactions of `latest_receipt_info`, newest first, with only the newest period of each subscription.
    ///
    /// A request with `exclude-old-transactions` gets these transactions.
    var withoutOldPeriods: [TransactionRecord] {
        var seen: Set<TransactionID> = []
        return newestFirst.filter { $0.type != .autoRenewable || seen.insert($0.originalID).inserted }
    }
}

extension ReceiptInfoOrder {
    /// Returns transactions in this order; `rows` must be sorted newest first.
    func sort(_ rows: [TransactionRecord]) -> [TransactionRecord] {
        switch self {
        case .descending: rows
        case .ascending: rows.reversed()
        // Transaction identifiers are sequential, so sorting by the reversed digits results in an order on which no client can rely.
        case .shuffled: rows.sorted { String($0.id.rawValue.reversed()) < String($1.id.rawValue.reversed()) }
        }
    }
}

extension VerifyReceiptStatus {
    /// Creates the `status` with which `verifyReceipt` reports that a receipt is not valid.
    ///
    /// The `switch` has no `default`, so that a new kind of failure does not compile without a status.
    ///
    /// The status is part of a response with HTTP status 200, as in the App Store, because clients treat any other HTTP status as an
    /// outage.
    init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .indeterminate: .internalError
            case .refused(let refusal):
                switch refusal.reason {
                case .malformed, .tooLarge, .algorithm: .malformed
                case .signature, .untrustedRoot, .chain, .marker, .validity, .revoked: .notAuthenticated
                // The receipt belongs to an app that the store does not have.
                case .foreignBundle, .foreignApp: .notAuthenticated
                case .foreignEnvironment(AppEnvironment.production.rawValue): .productionReceiptAtTest
                case .foreignEnvironment(AppEnvironment.sandbox.rawValue): .testReceiptAtProduction
                // The sandbox and the production URL of `verifyReceipt` both refuse receipts that Xcode signed.
                case .foreignEnvironment: .malformed
                // Apps check the device, the version and the age of a receipt; `verifyReceipt` does not, so these failures do not occur.
                case .foreignDevice, .foreignVersion, .expired, .tooOld, .custom: .notAuthenticated
                }
            }
    }
}
