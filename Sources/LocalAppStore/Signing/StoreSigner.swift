import Foundation
import PurchaseIssuing
import PurchaseModel

/// The signer of a store's transactions, renewal info, notifications and receipts, with the certificates of the store's authority.
struct StoreSigner: Sendable {
    let issuers: StoreIssuers

    init(authority: CertificateAuthority) {
        issuers = StoreIssuers(authority)
    }

    /// The store's certificate authority.
    var authority: CertificateAuthority { issuers.authority }

    /// Signs a transaction in its current state, not bound to a device.
    func sign(_ row: TransactionRecord, at now: Timestamp) throws -> SignedTransaction {
        try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)))
    }

    /// Signs a transaction for one device, with a `deviceVerification` value that is valid on that device only.
    func sign(_ row: TransactionRecord, for device: DeviceID, at now: Timestamp) throws -> SignedTransaction {
        guard let deviceBinding = DeviceBinding(device) else { return try sign(row, at: now) }
        return try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)), for: deviceBinding)
    }

    /// Signs the renewal info of a subscription; if `device` is not nil, with a `deviceVerification` value for that device.
    func sign(_ renewal: RenewalInfoPayload, for device: DeviceID? = nil) throws -> SignedRenewalInfo {
        var renewal = renewal
        renewal.signedDate = SigningEffects.current.date(renewal.signedDate)
        let issuer = try issuer(at: renewal.signedDate)
        guard let deviceBinding = device.flatMap({ DeviceBinding($0) }) else { return try issuer.sign(renewal) }
        return try issuer.sign(renewal, for: deviceBinding)
    }

    /// Signs the payload of an App Store Server Notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        var notification = notification
        notification.signedDate = SigningEffects.current.date(notification.signedDate)
        return try issuer(at: notification.signedDate).sign(notification)
    }

    /// Signs an app transaction; if `device` is not nil, with a `deviceVerification` value for that device.
    func sign(_ app: AppTransactionPayload, for device: DeviceID? = nil) throws -> SignedAppTransaction {
        var app = app
        app.receiptCreationDate = SigningEffects.current.date(app.receiptCreationDate)
        let issuer = try issuer(at: app.receiptCreationDate)
        guard let deviceBinding = device.flatMap({ DeviceBinding($0) }) else { return try issuer.sign(app) }
        return try issuer.sign(app, for: deviceBinding)
    }

    /// Signs the receipt of one transaction (`transactionReceipt` of StoreKit 1).
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

    /// Returns the issuer that signs JWS; if a signing fault is enabled for the current task, the issuer produces the fault's defects.
    private func issuer(at now: Timestamp) throws -> SignedDataIssuer {
        guard let fault = SigningEffects.current.fault else { return issuers.data }
        return try SignedDataIssuer(authority: authority, fault: fault, now: now)
    }
}

extension DeviceBinding {
    /// Creates the input of a `deviceVerification` value, with a random nonce; nil if the device's identifier is not a UUID.
    fileprivate init?(_ device: DeviceID) {
        guard let id = IdentifierText.uuid(device.rawValue) else { return nil }
        self.init(nonce: UUID(), deviceVerificationID: id)
    }
}
