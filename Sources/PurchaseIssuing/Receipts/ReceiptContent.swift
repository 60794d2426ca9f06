package import PurchaseModel

/// What a receipt is to say.
///
/// What the initializers do not ask for has the value that it has in the App Store's sandbox.
package struct ReceiptContent: Sendable {
    /// The app.
    package var bundleID: BundleID
    /// The app's version.
    package var appVersion: String
    /// Where purchases are made; local stores are `sandbox`.
    package var environment: AppEnvironment
    /// The device it is bound to.
    package var device: DeviceID
    /// When it is made.
    package var creationDate: Timestamp
    /// When its validity ends; nil for receipts that do not end.
    package var expirationDate: Timestamp?
    /// The purchases that it lists.
    package var purchases: [Purchase]

    /// The app's number in the App Store.
    package var appAppleID: Int64 = 0
    /// The developer's number in the App Store.
    package var developerID: Int64 = 0
    /// The number of the download.
    package var downloadID: Int64 = 0
    /// The number of the app's version in the App Store.
    package var versionExternalID: Int64 = 0
    /// The date of attribute 8, which only production states.
    package var downloadDate: Timestamp?
    /// When the app was obtained first.
    package var originalPurchaseDate = Timestamp(milliseconds: 1_375_340_400_000)  // 2013-08-01T07:00:00Z
    /// The version that was obtained first.
    package var originalAppVersion = "1.0"
    /// The age from which the app may be used.
    package var ageRating = "4+"
    /// The six bytes of the network address of a Mac, to which the receipt is bound instead of ``device``; nil for an iPhone.
    package var macAddress: [UInt8]?
    /// The organization that bought the app for its people in volume; nil for a receipt of a customer.
    package var volumePurchaser: String?

    /// One purchase.
    package struct Purchase: Sendable {
        /// The transaction that it states; ids, dates, quantity and product are taken from it.
        package var transaction: TransactionPayload
        /// Its kind.
        package var type: ProductType
        /// The product's number in the App Store.
        package var itemID: Int64 = 0
        /// Whether it is a free trial.
        package var isTrialPeriod = false
        /// Whether it is a period at an introductory price; stated of subscriptions only.
        package var isInIntroOfferPeriod = false
        /// The promotional offer that was used.
        package var promotionalOfferID: String?
        /// Whether a member of the family bought it; nil leaves attribute 1722 out, as receipts before 2021 did.
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
