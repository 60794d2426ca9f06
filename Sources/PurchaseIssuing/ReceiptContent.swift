package import PurchaseModel

/// What a receipt is to say.
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

    /// One purchase.
    package struct Purchase: Sendable {
        /// The transaction that it states; ids, dates, quantity and product are taken from it.
        package var transaction: TransactionPayload
        /// Its kind.
        package var type: ProductType

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
