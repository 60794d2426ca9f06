import Foundation
import PurchaseIssuing
import PurchaseModel

/// Signs what the ledger says, in the name of the store's own authority.
struct StoreSigner: Sendable {
    let authority: CertificateAuthority
    private let data: SignedDataIssuer
    private let receipts: ReceiptIssuer

    init(authority: CertificateAuthority) {
        self.authority = authority
        self.data = SignedDataIssuer(authority: authority)
        self.receipts = ReceiptIssuer(authority: authority)
    }

    /// A transaction, as it stands now.
    func sign(_ row: TransactionRow, at now: Timestamp) throws -> SignedTransaction {
        try data.sign(row.payload(signedDate: now))
    }

    /// What the store intends with a subscription.
    func sign(_ renewal: RenewalInfoPayload) throws -> SignedRenewalInfo {
        try data.sign(renewal)
    }

    /// A notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        try data.sign(notification)
    }

    /// That a customer got an app.
    func sign(_ app: AppTransactionPayload) throws -> SignedAppTransaction {
        try data.sign(app)
    }

    /// A receipt of one transaction.
    func sign(_ receipt: TransactionReceiptContent) throws -> Data {
        Data(try TransactionReceiptIssuer(authority: authority).issue(receipt))
    }

    /// An app receipt.
    func sign(_ receipt: ReceiptContent) throws -> Data {
        Data(try receipts.issue(receipt))
    }
}
