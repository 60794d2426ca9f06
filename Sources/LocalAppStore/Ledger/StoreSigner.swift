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
        try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)))
    }

    /// What the store intends with a subscription.
    func sign(_ renewal: RenewalInfoPayload) throws -> SignedRenewalInfo {
        var renewal = renewal
        renewal.signedDate = SigningEffects.current.date(renewal.signedDate)
        return try issuer(at: renewal.signedDate).sign(renewal)
    }

    /// A notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        var notification = notification
        notification.signedDate = SigningEffects.current.date(notification.signedDate)
        return try issuer(at: notification.signedDate).sign(notification)
    }

    /// That a customer got an app.
    func sign(_ app: AppTransactionPayload) throws -> SignedAppTransaction {
        var app = app
        app.receiptCreationDate = SigningEffects.current.date(app.receiptCreationDate)
        return try issuer(at: app.receiptCreationDate).sign(app)
    }

    /// A receipt of one transaction.
    func sign(_ receipt: TransactionReceiptContent) throws -> Data {
        Data(try TransactionReceiptIssuer(authority: authority).issue(receipt))
    }

    /// An app receipt.
    func sign(_ receipt: ReceiptContent) throws -> Data {
        var receipt = receipt
        receipt.creationDate = SigningEffects.current.date(receipt.creationDate)
        guard let fault = SigningEffects.current.fault, fault.concernsReceipts else { return Data(try receipts.issue(receipt)) }
        return Data(try ReceiptIssuer(authority: authority, fault: fault, now: receipt.creationDate).issue(receipt))
    }

    /// What signs JWS: properly, unless a fault is switched on for what is being done.
    private func issuer(at now: Timestamp) throws -> SignedDataIssuer {
        guard let fault = SigningEffects.current.fault else { return data }
        return try SignedDataIssuer(authority: authority, fault: fault, now: now)
    }
}
