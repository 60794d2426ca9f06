package import PurchaseModel

/// The content of an app receipt that a ``ReceiptIssuer`` issues.
///
/// Properties that the initializer does not set have the values that the App Store states in its sandbox.
package struct ReceiptContent: Sendable {
    /// The app's bundle ID.
    package var bundleID: BundleID
    /// The app's version.
    package var appVersion: String
    /// The environment of the receipt, which determines its receipt type.
    package var environment: AppEnvironment
    /// The identifier of the device to which the receipt is bound.
    package var device: DeviceID
    /// The date when the receipt is created and signed.
    package var creationDate: Timestamp
    /// The date when the receipt expires; nil for a receipt that does not expire.
    package var expirationDate: Timestamp?
    /// The in-app purchases that the receipt lists.
    package var purchases: [Purchase]

    /// The app's Apple ID in the App Store.
    package var appAppleID: Int64 = 0
    /// The developer's identifier in the App Store.
    package var developerID: Int64 = 0
    /// The identifier of the app's download in the App Store (attribute 15).
    package var downloadID: Int64 = 0
    /// The identifier of the app's version in the App Store (attribute 16).
    package var versionExternalID: Int64 = 0
    /// The date of the app's last download (attribute 8); nil outside of production.
    package var downloadDate: Timestamp?
    /// The date of the app's original purchase.
    package var originalPurchaseDate = Timestamp(milliseconds: 1_375_340_400_000)  // 2013-08-01T07:00:00Z
    /// The app version of the original purchase.
    package var originalAppVersion = "1.0"
    /// The app's age rating.
    package var ageRating = "4+"
    /// The six bytes of a Mac's MAC address, to which the receipt is bound instead of ``device``; nil for a receipt of an iPhone.
    package var macAddress: [UInt8]?
    /// The name of the organization that made a volume purchase of the app; nil for a purchase by a customer.
    package var volumePurchaser: String?

    /// One in-app purchase that a receipt lists.
    package struct Purchase: Sendable {
        /// The transaction, from which the receipt takes identifiers, dates, quantity and product.
        package var transaction: TransactionPayload
        /// The type of the purchased product.
        package var type: ProductType
        /// The product's identifier in the App Store.
        package var itemID: Int64 = 0
        /// Whether the purchase is a subscription period with a free trial.
        package var isTrialPeriod = false
        /// Whether the purchase is a subscription period at an introductory price.
        ///
        /// In the App Store's form, a receipt states the value for auto-renewable subscriptions only.
        package var isInIntroOfferPeriod = false
        /// The identifier of the promotional offer that the customer redeemed; nil for a purchase without such an offer.
        package var promotionalOfferID: String?
        /// Whether another family member made the purchase; nil for a receipt without attribute 1722, such as those before 2021.
        package var isFamilyShared: Bool?

        /// Creates a purchase from its transaction.
        package init(transaction: TransactionPayload, type: ProductType) {
            self.transaction = transaction
            self.type = type
        }
    }

    /// Creates the content of a receipt.
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
