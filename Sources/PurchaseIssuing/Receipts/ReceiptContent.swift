package import PurchaseModel

/// The content of a receipt.
///
/// Properties without an initializer parameter have the App Store sandbox's values.
package struct ReceiptContent: Sendable {
    /// The app's bundle ID.
    package var bundleID: BundleID
    /// The app's version.
    package var appVersion: String
    /// The environment of the purchases; `sandbox` for local stores.
    package var environment: AppEnvironment
    /// The device to which the receipt is bound.
    package var device: DeviceID
    /// The receipt's creation date.
    package var creationDate: Timestamp
    /// The end of the receipt's validity; nil for a receipt that does not expire.
    package var expirationDate: Timestamp?
    /// The listed purchases.
    package var purchases: [Purchase]

    /// The app's Apple ID in the App Store.
    package var appAppleID: Int64 = 0
    /// The developer's identifier in the App Store.
    package var developerID: Int64 = 0
    /// The identifier of the download.
    package var downloadID: Int64 = 0
    /// The App Store's identifier of the app version.
    package var versionExternalID: Int64 = 0
    /// The date of attribute 8, which only production receipts contain.
    package var downloadDate: Timestamp?
    /// The date of the app's original purchase.
    package var originalPurchaseDate = Timestamp(milliseconds: 1_375_340_400_000)  // 2013-08-01T07:00:00Z
    /// The app version of the original purchase.
    package var originalAppVersion = "1.0"
    /// The app's age rating.
    package var ageRating = "4+"
    /// The six bytes of a Mac's MAC address, to which the receipt is bound instead of ``device``; nil for an iPhone.
    package var macAddress: [UInt8]?
    /// The organization of a volume purchase; nil for a customer's receipt.
    package var volumePurchaser: String?

    /// One in-app purchase.
    package struct Purchase: Sendable {
        /// The transaction, which provides the identifiers, dates, quantity and product.
        package var transaction: TransactionPayload
        /// The product type.
        package var type: ProductType
        /// The product's identifier in the App Store.
        package var itemID: Int64 = 0
        /// Whether the purchase is a free trial.
        package var isTrialPeriod = false
        /// Whether the purchase is a period at an introductory price; encoded for subscriptions only.
        package var isInIntroOfferPeriod = false
        /// The identifier of the redeemed promotional offer.
        package var promotionalOfferID: String?
        /// Whether the purchaser is another family member; nil omits attribute 1722, as in receipts before 2021.
        package var isFamilyShared: Bool?

        /// Creates a purchase.
        package init(transaction: TransactionPayload, type: ProductType) {
            self.transaction = transaction
            self.type = type
        }
    }

    /// Creates content.
    package init(
        bundleID: BundleID, appVersion: String, environment: AppEnvironment, device: DeviceID, creationDate: Timestamp,
        purchases: [Purchase]
    ) {
        self.bundleID = bundleID
        self.appVersion = appVersion
        self.environment = environment
        self.device = device
        self.creationDate = creationDate
        self.purchases = purchases
    }
}
