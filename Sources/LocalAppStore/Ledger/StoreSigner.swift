import Foundation
import PurchaseIssuing
import PurchaseModel

/// Signs transactions, renewal info, notifications and receipts with the store's certificate authority.
struct StoreSigner: Sendable {
    let issuers: StoreIssuers

    init(authority: CertificateAuthority) {
        issuers = StoreIssuers(authority)
    }

    /// The store's certificate authority.
    var authority: CertificateAuthority { issuers.authority }

    /// Signs a transaction in its current state.
    func sign(_ row: TransactionRecord, at now: Timestamp) throws -> SignedTransaction {
        try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)))
    }

    /// Signs a transaction for one device; the device seal makes the signed transaction unusable on another device.
    func sign(_ row: TransactionRecord, for device: DeviceID, at now: Timestamp) throws -> SignedTransaction {
        guard let deviceBinding = DeviceBinding(device) else { return try sign(row, at: now) }
        return try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)), for: deviceBinding)
    }

    /// Signs the renewal info of a subscription; bound to a device if `device` is not nil.
    func sign(_ renewal: RenewalInfoPayload, for device: DeviceID? = nil) throws -> SignedRenewalInfo {
        var renewal = renewal
        renewal.signedDate = SigningEffects.current.date(renewal.signedDate)
        let issuer = try issuer(at: renewal.signedDate)
        guard let deviceBinding = device.flatMap({ DeviceBinding($0) }) else { return try issuer.sign(renewal) }
        return try issuer.sign(renewal, for: deviceBinding)
    }

    /// Signs a notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        var notification = notification
        notification.signedDate = SigningEffects.current.date(notification.signedDate)
        return try issuer(at: notification.signedDate).sign(notification)
    }

    /// Signs an app transaction; bound to a device if `device` is not nil.
    func sign(_ app: AppTransactionPayload, for device: DeviceID? = nil) throws -> SignedAppTransaction {
        var app = app
        app.receiptCreationDate = SigningEffects.current.date(app.receiptCreationDate)
        let issuer = try issuer(at: app.receiptCreationDate)
        guard let deviceBinding = device.flatMap({ DeviceBinding($0) }) else { return try issuer.sign(app) }
        return try issuer.sign(app, for: deviceBinding)
    }

    /// Signs a receipt of one transaction.
    func sign(_ receipt: TransactionReceiptContent) throws -> Data {
        Data(try TransactionReceiptIssuer(authority: authority).issue(receipt))
    }

    /// Signs an app receipt.
    func sign(_ receipt: ReceiptContent) throws -> Data {
        var receipt = receipt
        receipt.creationDate = SigningEffects.current.date(receipt.creationDate)
        guard let fault = SigningEffects.current.fault, fault.appliesToReceipts else { return Data(try issuers.receipts.issue(receipt)) }
        return Data(try ReceiptIssuer(authority: authority, fault: fault, now: receipt.creationDate).issue(receipt))
    }

    /// The issuer of JWS signatures, with the defects of a fault that is enabled for the current task.
    private func issuer(at now: Timestamp) throws -> SignedDataIssuer {
        guard let fault = SigningEffects.current.fault else { return issuers.data }
        return try SignedDataIssuer(authority: authority, fault: fault, now: now)
    }
}

extension DeviceBinding {
    /// A device seal with a new nonce; nil if the device identifier is not a UUID.
    fileprivate init?(_ device: DeviceID) {
        guard let id = IdentifierText.uuid(device.rawValue) else { return nil }
        self.init(nonce: UUID(), deviceVerificationID: id)
    }
}
