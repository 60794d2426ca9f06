package import PurchaseIssuing
public import PurchaseModel

extension BundleID {
    /// The app of the samples.
    public static let test: BundleID = "com.example.monkeyshop"
}

extension DeviceID {
    /// The device of sample receipts.
    public static let test: DeviceID = "00112233-4455-6677-8899-aabbccddeeff"
}

extension TransactionPayload {
    /// A transaction; by default, the purchase of one consumable in the sandbox at ``Timestamp/testStart``.
    public static func sample(
        id: TransactionID = "2000000000000001",
        original: TransactionID? = nil,
        product: ProductID = "com.example.monkeyshop.credits5",
        type: ProductType = .consumable,
        quantity: Int = 1,
        bundle: BundleID = .test,
        environment: AppEnvironment = .sandbox,
        date: Timestamp = .testStart,
        expires: Timestamp? = nil
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id, originalTransactionId: original ?? id, bundleId: bundle, productId: product, purchaseDate: date,
            originalPurchaseDate: date, quantity: quantity, type: type.rawValue, signedDate: date, environment: environment.rawValue
        )
        payload.expiresDate = expires
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = "PURCHASE"
        payload.price = 990
        payload.currency = "USD"
        return payload
    }
}

extension RenewalInfoPayload {
    /// Renewal info; by default, of a subscription with auto-renew enabled.
    public static func sample(
        original: TransactionID = "2000000000000001",
        product: ProductID = "com.example.monkeyshop.magazine",
        autoRenewStatus: Int = 1,
        environment: AppEnvironment = .sandbox,
        date: Timestamp = .testStart
    ) -> RenewalInfoPayload {
        RenewalInfoPayload(
            originalTransactionId: original, productId: product, autoRenewStatus: autoRenewStatus, environment: environment.rawValue,
            signedDate: date
        )
    }
}

extension NotificationPayload {
    /// A notification; by default, a test notification without a transaction.
    public static func sample(
        type: String = "TEST",
        uuid: String = "11111111-2222-3333-4444-555555555555",
        bundle: BundleID = .test,
        environment: AppEnvironment = .sandbox,
        transaction: SignedTransaction? = nil,
        renewalInfo: SignedRenewalInfo? = nil,
        date: Timestamp = .testStart
    ) -> NotificationPayload {
        var data = NotificationData(bundleId: bundle, environment: environment.rawValue)
        data.signedTransactionInfo = transaction
        data.signedRenewalInfo = renewalInfo
        return NotificationPayload(notificationType: type, subtype: nil, notificationUUID: uuid, signedDate: date, data: data)
    }
}

extension ReceiptContent {
    /// A receipt with the transactions; by default, of the test app on the test device in the sandbox.
    package static func sample(
        _ transactions: [TransactionPayload] = [.sample()],
        bundle: BundleID = .test,
        environment: AppEnvironment = .sandbox,
        device: DeviceID = .test,
        date: Timestamp = .testStart
    ) -> ReceiptContent {
        ReceiptContent(
            bundleID: bundle, appVersion: "1.0", environment: environment, device: device, creationDate: date,
            purchases: transactions.map { Purchase(transaction: $0, type: $0.productType ?? .consumable) }
        )
    }
}
