import Crypto
import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that issues receipts, and answers `verifyReceipt`.
struct ReceiptService: Sendable {
    let context: StoreContext

    /// Returns the current app receipt for the account, device, app and app version of a sign-in.
    ///
    /// With the parameters of `request`, tests get a receipt that expired a day ago, a receipt without transactions, or a receipt of an app
    /// that was bought in the Volume Purchase Program.
    func receipt(for session: SessionRecord, _ request: ReceiptRequest) async throws -> Data {
        let app = try context.apps.require(session.bundleID)
        let (rows, environment, now) = try await context.read { db in
            let rows = try receiptTransactions(of: session.account, session.bundleID, db)
            return (rows, try AccountRecord.require(session.account, db).environment, context.clock.now)
        }
        var content = receiptContent(request.revoked ? [] : rows, app, environment, session.device, session.appVersion, at: now)
        content.expirationDate = request.expired || request.revoked ? now.wholeSeconds.adding(days: -1) : nil
        content.volumePurchaser = request.volumePurchase ? "Example School" : nil
        return try context.signer.sign(content)
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
    ///
    /// The method takes time proportional to the number of returned transactions, however many consumables are finished.
    func receiptTransactions(of account: AccountID, _ bundleID: BundleID, _ db: Database) throws -> [TransactionRecord] {
        let arguments: StatementArguments = [account.rawValue, bundleID.rawValue]
        return try TransactionRecord.fetchAll(db.cachedStatement(sql: Self.receiptSQL), arguments: arguments)
    }

    /// The SQL of ``receiptTransactions(of:_:_:)``, with the conditions of the index `transactions_receipt`.
    static let receiptSQL = """
        SELECT * FROM transactions
        WHERE account = ? AND bundleID = ? AND kind <> 'restore' AND (type <> 'Consumable' OR finishedAt IS NULL) ORDER BY rowid
        """

    /// Returns the `verifyReceipt` response to a verified app receipt.
    ///
    /// The response contains the current state of the account's transactions and subscriptions.
    ///
    /// - Parameter excludingOldTransactions: Whether `latest_receipt_info` contains only the newest period of each subscription
    ///   (`exclude-old-transactions`).
    func response(
        to receipt: VerifiedReceipt, of app: StoreApp, excludingOldTransactions: Bool
    ) async throws -> VerifyReceiptResponse {
        let now = context.clock.now
        let payload = receipt.payload
        guard let known = try await context.read({ db in try accountData(of: payload, db) }) else {
            return .unknownAccount(payload.environment)
        }
        var body = VerifyReceiptBody(
            receiptType: payload.receiptType,
            bundleID: payload.bundleID,
            applicationVersion: payload.appVersion,
            inApp: known.inApp.map { VerifyReceiptPurchase($0, inReceipt: true) }
        )
        body.downloadID = payload.downloadID ?? 0
        body.versionExternalIdentifier = payload.versionExternalID ?? 0
        if payload.environment == .production {
            body.adamID = app.row.appAppleID
            body.appItemID = app.row.appAppleID
        }
        body.expirationDate = payload.expirationDate.map { DateTriplet($0) }
        body.receiptCreationDate = DateTriplet(payload.creationDate)
        body.requestDate = DateTriplet(now)
        body.originalPurchaseDate = payload.originalPurchaseDate.map { DateTriplet($0) }
        body.originalApplicationVersion = payload.originalAppVersion

        var response = VerifyReceiptResponse(status: .valid)
        response.environment = payload.environment.rawValue
        response.receipt = body
        guard app.catalog.products.contains(where: { $0.type == .autoRenewable }) else { return response }
        let transactions = app.row.receiptOrder.sort(excludingOldTransactions ? known.withoutOldPeriods : known.newestFirst)
        response.latestReceiptInfo = transactions.map { VerifyReceiptPurchase($0, inReceipt: false) }
        response.pendingRenewalInfo = known.subscriptions.map {
            VerifyReceiptRenewal($0.renewalInfo(environment: payload.environment, in: context.apps, at: now))
        }
        // A receipt without purchases does not identify an account, so the response returns the receipt itself as `latest_receipt`.
        let latest = try known.device.map {
            try context.signer.sign(receiptContent(known.latest, app, payload.environment, $0, payload.appVersion, at: now))
        }
        response.latestReceipt = (latest ?? Data(receipt.original)).base64EncodedString()
        return response
    }

    /// Returns the current data about the account of a receipt; nil if the store does not have all transactions of the receipt.
    private func accountData(of payload: ReceiptPayload, _ db: Database) throws -> ReceiptAccountData? {
        var inApp: [TransactionRecord] = []
        for purchase in payload.purchases {
            guard let row = try TransactionRecord.find(purchase.transactionID, db), row.bundleID == payload.bundleID else { return nil }
            inApp.append(row)
        }
        guard let first = inApp.first else { return ReceiptAccountData() }
        let sql = "SELECT DISTINCT device FROM sessions WHERE account = ? ORDER BY device"
        let devices = try String.fetchAll(db.cachedStatement(sql: sql), arguments: [first.account.rawValue]).map { DeviceID($0) }
        let latest = try receiptTransactions(of: first.account, payload.bundleID, db)
        return ReceiptAccountData(
            inApp: inApp,
            latest: latest,
            subscriptions: try SubscriptionRecord.all(of: first.account, in: payload.bundleID, db),
            // A receipt contains a hash of the device identifier; the receipt belongs to the device of the account whose hash matches.
            device: devices.first { DeviceHashCheck($0).matches(payload) } ?? first.device
        )
    }

    /// Returns the receipt of one transaction of a device's account and app (`SKPaymentTransaction.transactionReceipt`).
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction does not exist or belongs to another account or app.
    func transactionReceipt(of id: TransactionID, for session: SessionRecord) async throws -> Data {
        let row = try await context.read { db in try TransactionRecord.find(id, db) }
        guard let row, row.account == session.account, row.bundleID == session.bundleID else { throw StoreError.transactionUnknown }
        return try transactionReceipt(row)
    }

    private func transactionReceipt(_ row: TransactionRecord) throws -> Data {
        let content = TransactionReceiptContent(
            transaction: row.payload(signedDate: context.clock.now), appVersion: row.appVersion, device: row.device)
        return try context.signer.sign(content)
    }

    /// Returns the `verifyReceipt` response to a verified receipt of one transaction; nil if the store does not have the transaction.
    func response(to receipt: VerifiedTransactionReceipt) async throws -> VerifyTransactionReceiptResponse? {
        let payload = receipt.payload
        let found = try await context.read { db -> (TransactionRecord, TransactionRecord?, SubscriptionRecord?)? in
            guard let row = try TransactionRecord.find(payload.transactionID, db), row.bundleID == payload.bundleID else { return nil }
            let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
            return (row, try TransactionRecord.newestPeriod(of: row.originalID, db), subscription)
        }
        guard let (row, newest, subscription) = found else { return nil }
        let app = context.apps[row.bundleID]
        var response = VerifyTransactionReceiptResponse(status: .valid, receipt: row.legacyMembers(of: app))
        guard let subscription, let newest else { return response }
        let renewal = subscription.renewalInfo(environment: row.environment, in: context.apps, at: context.clock.now)
        response.environment = row.environment.rawValue
        response.autoRenewStatus = renewal.autoRenewStatus
        response.autoRenewProductID = renewal.autoRenewProductId
        response.expirationIntent = renewal.expirationIntent.map { String($0) }
        response.isInBillingRetryPeriod = renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        switch subscription.subscription.status {
        case .active, .gracePeriod:
            response.latestReceiptInfo = newest.legacyMembers(of: app)
            response.latestReceipt = try transactionReceipt(newest).base64EncodedString()
        case .expired, .billingRetry, .revoked:
            response.status = .subscriptionExpired
            response.latestExpiredReceiptInfo = newest.legacyMembers(of: app)
        }
        return response
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
        let transaction = row.payload(signedDate: now)
        self.init(transaction: transaction, type: row.type)
        isTrialPeriod = transaction.isTrialPeriod
        isInIntroOfferPeriod = transaction.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        isFamilyShared = row.purchaserTransactionID != nil
    }
}

extension VerifyReceiptResponse {
    /// Returns the `verifyReceipt` response for a receipt whose account is unknown, such as after its transactions were deleted.
    static func unknownAccount(_ environment: AppEnvironment) -> VerifyReceiptResponse {
        var response = VerifyReceiptResponse(status: .accountNotFound)
        response.environment = environment.rawValue
        response.isRetryable = false
        return response
    }
}

extension TransactionRecord {
    /// Returns the transaction as `verifyReceipt` returns it for a transaction receipt: one object whose values are all strings.
    fileprivate func legacyMembers(of app: StoreApp?) -> [String: String] {
        // Receipts of the sandbox contain 0 as the identifiers of the app and of its version.
        let productionApp = environment == .production ? app : nil
        var members = payload(signedDate: purchaseDate).transactionReceiptMembers(upgradedAt: upgradedAt)
        let ofApp = [
            "bvrs": appVersion, "item_id": "0", "app_item_id": String(productionApp?.row.appAppleID ?? 0),
            "version_external_identifier": String(productionApp?.versionExternalID(appVersion) ?? 0),
            "unique_identifier": device.rawValue.replacing("-", with: ""), "unique_vendor_identifier": device.rawValue.uppercased(),
        ]
        members.merge(ofApp) { $1 }
        return members
    }
}
