import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension StoreLedger {
    /// Returns the `verifyReceipt` response to a verified app receipt.
    ///
    /// The response contains the current state of the account's transactions and subscriptions.
    ///
    /// - Parameter excludingOldTransactions: Whether `latest_receipt_info` contains only the newest period of each subscription
    ///   (`exclude-old-transactions`).
    func response(
        to receipt: VerifiedReceipt, of app: StoreApp, excludingOldTransactions: Bool
    ) async throws -> VerifyReceiptResponse {
        let now = clock.now
        let payload = receipt.payload
        guard let known = try await read({ db in try accountData(of: payload, db) }) else {
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
            VerifyReceiptRenewal(renewalInfo($0, environment: payload.environment, at: now))
        }
        // A receipt without purchases does not identify an account, so the response returns the receipt itself as `latest_receipt`.
        let latest = try known.device.map {
            try signer.sign(receiptContent(known.latest, app, payload.environment, $0, payload.appVersion, at: now))
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
