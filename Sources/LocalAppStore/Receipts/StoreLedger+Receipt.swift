import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel

extension StoreLedger {
    /// The latest receipt of an account for the device, app and app version of a sign-in.
    ///
    /// Tests can ask for one whose validity ended a day ago, for one that lists nothing because everything was taken back, and for
    /// one of an app that an organisation bought in volume.
    func receipt(for session: SessionRow, _ request: ReceiptRequest) async throws -> Data {
        let (rows, buyer, now) = try await write { db, now -> ([TransactionRow], Buyer, Timestamp) in
            let rows = try receiptRows(of: session.account, session.bundleID, db)
            return (rows, try self.buyer(session.account, session.bundleID, session.device, session.appVersion, at: now, db), now)
        }
        var content = receiptContent(
            request.revoked ? [] : rows, buyer.app, buyer.account.environment, session.device, session.appVersion, at: now)
        content.expirationDate = request.expired || request.revoked ? now.wholeSeconds.adding(days: -1) : nil
        content.volumePurchaser = request.volumePurchase ? "Example School" : nil
        return try signer.sign(content)
    }

    /// What a receipt for one device says.
    func receiptContent(
        _ rows: [TransactionRow], _ app: StoreApp, _ environment: AppEnvironment, _ device: DeviceID, _ version: String, at now: Timestamp
    ) -> ReceiptContent {
        var content = ReceiptContent(
            bundleID: app.bundleID,
            appVersion: version,
            environment: environment,
            device: device,
            creationDate: now.wholeSeconds,
            purchases: rows.map { ReceiptContent.Purchase($0, at: now) }
        )
        content.appAppleID = environment == .production ? app.row.appAppleID : 0
        return content
    }

    /// What a receipt lists: consumables until they are finished, everything else for ever, restored transactions never.
    func receiptRows(of account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> [TransactionRow] {
        let sql = """
            SELECT * FROM transactions
            WHERE account = ? AND bundleID = ? AND kind <> 'restore' AND (type <> ? OR finishedAt IS NULL) ORDER BY rowid
            """
        let arguments: StatementArguments = [account.rawValue, bundleID.rawValue, ProductType.consumable.rawValue]
        return try TransactionRow.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension ReceiptContent.Purchase {
    /// What a receipt says of a transaction.
    fileprivate init(_ row: TransactionRow, at now: Timestamp) {
        self.init(transaction: row.payload(signedDate: now), type: row.type)
        isTrialPeriod = row.isTrialPeriod
        isInIntroOfferPeriod = row.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        isFamilyShared = row.sharedFrom != nil
    }
}
