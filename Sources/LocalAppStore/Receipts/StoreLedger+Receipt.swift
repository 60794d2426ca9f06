import Crypto
import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The current receipt of an account, for the device, the app and the app version of a sign-in.
    ///
    /// Tests can request a receipt that expired a day ago, a receipt without transactions because all were revoked, and a receipt of a
    /// Volume Purchase Program app.
    func receipt(for session: SessionRecord, _ request: ReceiptRequest) async throws -> Data {
        let (rows, buyer, now) = try await write { db, now -> ([TransactionRecord], Buyer, Timestamp) in
            let rows = try receiptTransactions(of: session.account, session.bundleID, db)
            return (rows, try self.buyer(session.account, session.bundleID, session.device, session.appVersion, at: now, db), now)
        }
        var content = receiptContent(
            request.revoked ? [] : rows, buyer.app, buyer.account.environment, session.device, session.appVersion, at: now)
        content.expirationDate = request.expired || request.revoked ? now.wholeSeconds.adding(days: -1) : nil
        content.volumePurchaser = request.volumePurchase ? "Example School" : nil
        return try signer.sign(content)
    }

    /// The contents of a receipt for one device.
    func receiptContent(
        _ rows: [TransactionRecord], _ app: StoreApp, _ environment: AppEnvironment, _ device: DeviceID, _ version: String,
        at now: Timestamp
    ) -> ReceiptContent {
        var content = ReceiptContent(
            bundleID: app.bundleID,
            appVersion: version,
            environment: environment,
            device: device,
            creationDate: now.wholeSeconds,
            purchases: rows.map { ReceiptContent.Purchase($0, at: now) }
        )
        if environment == .production {
            content.appAppleID = app.row.appAppleID
            content.downloadID = app.downloadID(on: device)
            content.versionExternalID = app.versionExternalID(version)
        }
        return content
    }

    /// The transactions of a receipt: consumables until they are finished, and all other purchases permanently; restored transactions
    /// never.
    func receiptTransactions(of account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> [TransactionRecord] {
        let sql = """
            SELECT * FROM transactions
            WHERE account = ? AND bundleID = ? AND kind <> 'restore' AND (type <> ? OR finishedAt IS NULL) ORDER BY rowid
            """
        let arguments: StatementArguments = [account.rawValue, bundleID.rawValue, ProductType.consumable.rawValue]
        return try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension StoreApp {
    /// The app's download identifier on a device, with 18 digits as in the App Store; the sandbox has none.
    func downloadID(on device: DeviceID) -> Int64 {
        500_000_000_000_000_000 + number(of: device.rawValue, below: 100_000_000_000_000_000)
    }

    /// The App Store's external version identifier of an app version; the sandbox has none.
    func versionExternalID(_ version: String) -> Int64 {
        800_000_000 + number(of: version, below: 100_000_000)
    }

    /// A number derived from a text: constant for the same text of this app, and different for nearly every other text.
    private func number(of text: String, below limit: UInt64) -> Int64 {
        let hash = SHA256.hash(data: Data("\(bundleID.rawValue)\n\(text)".utf8))
        return Int64(hash.prefix(8).reduce(UInt64(0)) { number, byte in number << 8 | UInt64(byte) } % limit)
    }
}

extension ReceiptContent.Purchase {
    /// The contents of a receipt about a transaction.
    fileprivate init(_ row: TransactionRecord, at now: Timestamp) {
        self.init(transaction: row.payload(signedDate: now), type: row.type)
        isTrialPeriod = row.isTrialPeriod
        isInIntroOfferPeriod = row.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        isFamilyShared = row.purchaserTransactionID != nil
    }
}
