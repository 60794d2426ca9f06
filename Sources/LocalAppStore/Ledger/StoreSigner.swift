import Foundation
import PurchaseIssuing
import PurchaseModel

/// Signs what the ledger says, in the name of the store's own authority.
struct StoreSigner: Sendable {
    let bundleID: BundleID
    let storefront: Storefront
    private let data: SignedDataIssuer
    private let receipts: ReceiptIssuer

    init(bundleID: BundleID, storefront: Storefront, authority: CertificateAuthority) {
        self.bundleID = bundleID
        self.storefront = storefront
        self.data = SignedDataIssuer(authority: authority)
        self.receipts = ReceiptIssuer(authority: authority)
    }

    /// A transaction, as it stands now.
    func sign(_ row: TransactionRow, at now: Timestamp) throws -> SignedTransaction {
        try data.sign(row.payload(bundleID: bundleID, storefront: storefront, signedDate: now))
    }

    /// What the store intends with a subscription, as it stands now.
    func sign(_ subscription: Subscription, at now: Timestamp) throws -> SignedRenewalInfo {
        try data.sign(subscription.renewalInfo(signedDate: now))
    }

    /// A notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        try data.sign(notification)
    }

    /// A receipt for one device.
    func receipt(_ rows: [TransactionRow], device: DeviceID, appVersion: String, at now: Timestamp, expires: Timestamp? = nil) throws
        -> Data
    {
        var content = ReceiptContent(
            bundleID: bundleID,
            appVersion: appVersion,
            environment: LocalAppStore.environment,
            device: device,
            creationDate: now.wholeSeconds,
            purchases: rows.map { row in
                let transaction = row.payload(bundleID: bundleID, storefront: storefront, signedDate: now)
                return ReceiptContent.Purchase(transaction: transaction, type: row.type)
            }
        )
        content.expirationDate = expires
        return Data(try receipts.issue(content))
    }
}
