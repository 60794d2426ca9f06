import Crypto
import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Returns the current app receipt for the account, device, app and app version of a sign-in.
    ///
    /// With the parameters of `request`, tests get a receipt that expired a day ago, a receipt without transactions, or a receipt of an app
    /// that was bought in the Volume Purchase Program.
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

    /// Returns the contents of an app receipt for a device.
    ///
    /// - Parameters:
    ///   - rows: The transactions in the receipt.
    ///   - version: The version of the app.
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

    /// Returns the transactions that an app receipt of an account contains, oldest first.
    ///
    /// The receipt contains consumables until they are finished, and all other purchases permanently. It contains no restored transactions.
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
    /// Returns the `download_id` of production receipts for the app on a device: a number of 18 digits, as in the App Store.
    func downloadID(on device: DeviceID) -> Int64 {
        500_000_000_000_000_000 + number(of: device.rawValue, below: 100_000_000_000_000_000)
    }

    /// Returns the `version_external_identifier` of production receipts for a version of the app.
    func versionExternalID(_ version: String) -> Int64 {
        800_000_000 + number(of: version, below: 100_000_000)
    }

    /// Returns a number from 0 up to `limit` that is derived from a text with a hash, and is always the same for this app and text.
    private func number(of text: String, below limit: UInt64) -> Int64 {
        let hash = SHA256.hash(data: Data("\(bundleID.rawValue)\n\(text)".utf8))
        return Int64(hash.prefix(8).reduce(UInt64(0)) { number, byte in number << 8 | UInt64(byte) } % limit)
    }
}

extension ReceiptContent.Purchase {
    /// Creates the contents of an app receipt about one transaction.
    fileprivate init(_ row: TransactionRecord, at now: Timestamp) {
        self.init(transaction: row.payload(signedDate: now), type: row.type)
        isTrialPeriod = row.isTrialPeriod
        isInIntroOfferPeriod = row.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        isFamilyShared = row.purchaserTransactionID != nil
    }
}
