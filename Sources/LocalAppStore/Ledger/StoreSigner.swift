import Foundation
import PurchaseIssuing
import PurchaseModel

/// Signs what the ledger says, in the name of the store's own authority.
struct StoreSigner: Sendable {
    let issuers: StoreIssuers

    init(authority: CertificateAuthority) {
        issuers = StoreIssuers(authority)
    }

    /// The store's authority.
    var authority: CertificateAuthority { issuers.authority }

    /// A transaction, as it stands now.
    func sign(_ row: TransactionRecord, at now: Timestamp) throws -> SignedTransaction {
        try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)))
    }

    /// A transaction as one device gets it, which nobody can use on another.
    func sign(_ row: TransactionRecord, for device: DeviceID, at now: Timestamp) throws -> SignedTransaction {
        guard let seal = DeviceSeal(device) else { return try sign(row, at: now) }
        return try issuer(at: now).sign(row.payload(signedDate: SigningEffects.current.date(now)), for: seal)
    }

    /// What the store intends with a subscription; bound to a device if one is named.
    func sign(_ renewal: RenewalInfoPayload, for device: DeviceID? = nil) throws -> SignedRenewalInfo {
        var renewal = renewal
        renewal.signedDate = SigningEffects.current.date(renewal.signedDate)
        let issuer = try issuer(at: renewal.signedDate)
        guard let seal = device.flatMap({ DeviceSeal($0) }) else { return try issuer.sign(renewal) }
        return try issuer.sign(renewal, for: seal)
    }

    /// A notification.
    func sign(_ notification: NotificationPayload) throws -> SignedNotification {
        var notification = notification
        notification.signedDate = SigningEffects.current.date(notification.signedDate)
        return try issuer(at: notification.signedDate).sign(notification)
    }

    /// That a customer got an app; bound to a device if one is named.
    func sign(_ app: AppTransactionPayload, for device: DeviceID? = nil) throws -> SignedAppTransaction {
        var app = app
        app.receiptCreationDate = SigningEffects.current.date(app.receiptCreationDate)
        let issuer = try issuer(at: app.receiptCreationDate)
        guard let seal = device.flatMap({ DeviceSeal($0) }) else { return try issuer.sign(app) }
        return try issuer.sign(app, for: seal)
    }

    /// A receipt of one transaction.
    func sign(_ receipt: TransactionReceiptContent) throws -> Data {
        Data(try TransactionReceiptIssuer(authority: authority).issue(receipt))
    }

    /// An app receipt.
    func sign(_ receipt: ReceiptContent) throws -> Data {
        var receipt = receipt
        receipt.creationDate = SigningEffects.current.date(receipt.creationDate)
        guard let fault = SigningEffects.current.fault, fault.concernsReceipts else { return Data(try issuers.receipts.issue(receipt)) }
        return Data(try ReceiptIssuer(authority: authority, fault: fault, now: receipt.creationDate).issue(receipt))
    }

    /// What signs JWS: properly, unless a fault is switched on for what is being done.
    private func issuer(at now: Timestamp) throws -> SignedDataIssuer {
        guard let fault = SigningEffects.current.fault else { return issuers.data }
        return try SignedDataIssuer(authority: authority, fault: fault, now: now)
    }
}

extension DeviceSeal {
    /// A seal with a new nonce; nil for a device that is no UUID.
    fileprivate init?(_ device: DeviceID) {
        guard let id = IdentifierText.uuid(device.rawValue) else { return nil }
        self.init(nonce: UUID(), deviceVerificationID: id)
    }
}
