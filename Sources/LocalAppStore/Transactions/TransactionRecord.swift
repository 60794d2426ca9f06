import Foundation
import FoundationExtras
import GRDB
import PurchaseModel

/// A transaction of the store, as a row of the database.
///
/// The payload of the signed transaction is derived from the row; see `TransactionRecord+Payload.swift`.
struct TransactionRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "transactions"

    /// The origin of a transaction; the database stores the raw values.
    enum Kind: String, Codable {
        /// The customer purchased the product, or obtained an already owned product again.
        case purchase = "purchase"
        /// The store renewed a subscription.
        case renewal = "renewal"
        /// The account restored its purchases on a device.
        case restore = "restore"
        /// The account got access to a family member's purchase through Family Sharing.
        case familyShared = "familyShared"
    }

    var id: TransactionID
    var originalID: TransactionID
    var kind: Kind
    var account: AccountID
    var device: DeviceID
    var appVersion: String
    var productID: ProductID
    var type: ProductType
    var groupID: SubscriptionGroupID?
    var quantity: Int
    /// The total price of all items, in thousandths of the currency's main unit; 0 for an already owned product.
    var price: Int64
    var currency: String
    /// The `transactionReason`: `PURCHASE` or `RENEWAL`.
    ///
    /// A restored transaction has the reason of the transaction that it restores.
    var reason: String
    var purchaseDate: Timestamp
    var originalPurchaseDate: Timestamp
    var expiresDate: Timestamp?
    var webOrderLineItemID: String?
    var appAccountToken: CustomerID?
    /// The payment's `applicationUsername` if it is not a UUID; signed transactions do not contain it.
    var applicationUsername: String?
    var payment: PaymentID?
    /// The identifier of the transaction that this transaction restores; nil if ``kind`` is not `restore`.
    var restores: TransactionID?
    var restoreRequest: String?
    var finishedAt: Timestamp?
    var revokedAt: Timestamp?
    var bundleID: BundleID
    var environment: AppEnvironment
    /// The alpha-3 country code of the storefront in which the product was purchased.
    var storefront: String
    /// The `appTransactionId`, which is unique for the account in the app.
    var appTransactionID: String
    /// The order ID on the customer's invoice, which several transactions of one order share.
    var orderID: String
    /// The identifier of the purchaser's transaction; nil unless this transaction gives access through Family Sharing.
    var purchaserTransactionID: TransactionID?
    var offerType: Int?
    var offerID: String?
    var offerMode: String?
    /// The total duration of the offer, as an ISO 8601 duration.
    var offerPeriod: String?
    var billingPlan: String?
    /// The position of the subscription period in its commitment, as JSON; nil without a commitment.
    var commitment: TransactionCommitmentInfo?
    /// The date on which an upgrade replaced the subscription period before its end; nil if no upgrade did.
    var upgradedAt: Timestamp?
    /// The number of the subscription period, counted from 1; nil for products that are not auto-renewable subscriptions.
    var period: Int?
    /// The `revocationReason`: 1 for an issue within the app, otherwise 0; nil if the transaction is not revoked.
    var revocationReason: Int?
    var revocationType: String?
    /// The `revocationPercentage`: the refunded part of the price, in thousandths of a percent.
    var revocationPercentage: Int?
    /// The number of the transaction's last change, by which transaction histories are sorted.
    var change: Int64 = 0
    /// The number of the last change or finish of the transaction, by which devices find new and changed transactions.
    var revision: Int64 = 0

    /// Returns the transaction with an identifier; nil if the store has no such transaction.
    static func find(_ id: TransactionID, _ db: Database) throws -> TransactionRecord? {
        try first("id", id.rawValue, db)
    }

    /// Returns the transaction of a subscription's newest period; nil if the subscription has no transaction.
    ///
    /// The newest period has the highest number. It does not always have the latest purchase date: an upgrade can replace a renewal that
    /// was charged before its period began.
    static func newestPeriod(of originalID: TransactionID, _ db: Database) throws -> TransactionRecord? {
        try newestPeriods(of: originalID, db).first
    }

    /// Returns the transaction of a subscription's period that covers `now`: the newest period, or the period before if the newest one was
    /// charged ahead and has not begun; nil if the subscription has no transaction.
    static func currentPeriod(of originalID: TransactionID, at now: Timestamp, _ db: Database) throws -> TransactionRecord? {
        let rows = try newestPeriods(of: originalID, db)
        return rows.first.map { $0.purchaseDate > now ? rows.last ?? $0 : $0 }
    }

    /// Returns the transactions of a subscription's two newest periods, newest first.
    private static func newestPeriods(of originalID: TransactionID, _ db: Database) throws -> [TransactionRecord] {
        let sql = """
            SELECT * FROM transactions WHERE originalID = ? AND period IS NOT NULL AND kind <> 'restore' ORDER BY period DESC LIMIT 2
            """
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [originalID.rawValue])
    }

    /// Returns the transaction of a subscription's period.
    ///
    /// - Parameter number: The number of the period, counted from 1.
    /// - Throws: ``StoreError/transactionUnknown`` if the subscription has no such period.
    static func period(_ number: Int, of originalID: TransactionID, _ db: Database) throws -> TransactionRecord {
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND period = ? AND kind <> 'restore'"
        guard let row = try fetchOne(db.cachedStatement(sql: sql), arguments: [originalID.rawValue, number]) else {
            throw StoreError.transactionUnknown
        }
        return row
    }
}

extension TransactionRecord {
    /// Creates a transaction with a new transaction identifier and a new order ID.
    ///
    /// The new transaction is its own original transaction. The caller changes that for a renewal or an already owned product.
    ///
    /// - Parameter price: The price in thousandths of the currency's main unit.
    init(
        _ kind: Kind, _ productID: ProductID, _ type: ProductType, for buyer: Buyer, price: Int64, at date: Timestamp, _ db: Database
    ) throws {
        let id = TransactionID(try StoreCounter.transaction.next(db))
        self.init(
            id: id,
            originalID: id,
            kind: kind,
            account: buyer.account.id,
            device: buyer.device,
            appVersion: buyer.appVersion,
            productID: productID,
            type: type,
            quantity: 1,
            price: price,
            currency: buyer.storefront.currency,
            reason: TransactionReason.purchase.rawValue,
            purchaseDate: date,
            originalPurchaseDate: date,
            bundleID: buyer.app.bundleID,
            environment: buyer.account.environment,
            storefront: buyer.storefront.countryCode,
            appTransactionID: buyer.appTransactionID,
            orderID: try Self.orderID(db)
        )
    }

    /// Creates a new order ID in the App Store's format: `M` and nine letters and digits.
    static func orderID(_ db: Database) throws -> String {
        var number = try StoreCounter.order.nextNumber(db)
        let digits = Array("0123456789ABCDEFGHJKLMNPQRSTVWXY")
        var text = ""
        for _ in 0..<9 {
            text = String(digits[Int(number & 31)]) + text
            number >>= 5
        }
        return "M" + text
    }
}

extension TransactionRecord {
    /// Copies the product, the dates, the price and the offer of a subscription period to the transaction.
    mutating func setPeriod(_ period: SubscriptionPeriod) {
        self.period = period.number
        productID = period.plan.productID
        reason = period.reason.rawValue
        purchaseDate = period.start
        expiresDate = period.end
        price = period.price.milliunits
        currency = period.price.currency
        offerType = period.offer?.offer.kind.rawValue
        offerID = period.offer?.offer.id
        offerMode = period.offer?.offer.mode.rawValue
        offerPeriod = period.offer?.offer.totalPeriod.iso8601
        billingPlan = period.plan.billingPlan?.rawValue
        commitment = period.commitment.map { TransactionCommitmentInfo($0) }
    }

    /// Copies the product, the dates and the offer of another transaction's subscription period to the transaction.
    mutating func copyPeriod(of other: TransactionRecord, number: Int) {
        period = number
        productID = other.productID
        reason = TransactionReason.purchase.rawValue
        purchaseDate = other.purchaseDate
        expiresDate = other.expiresDate
        offerType = other.offerType
        offerID = other.offerID
        offerMode = other.offerMode
        offerPeriod = other.offerPeriod
        billingPlan = other.billingPlan
        commitment = other.commitment
    }

    /// Marks the transaction as revoked.
    ///
    /// - Parameters:
    ///   - revocation: The type of the revocation and the refunded percentage.
    ///   - reason: The `revocationReason`: 1 for an issue within the app, otherwise 0.
    mutating func revoke(_ revocation: SubscriptionRevocation, reason: Int = 0, at now: Timestamp) {
        revokedAt = now.wholeSeconds
        revocationReason = reason
        revocationType = revocation.kind.rawValue
        revocationPercentage = revocation.percentage
    }

    /// Marks the transaction as no longer revoked.
    mutating func reinstate() {
        revokedAt = nil
        revocationReason = nil
        revocationType = nil
        revocationPercentage = nil
    }
}

extension TransactionCommitmentInfo {
    fileprivate init(_ charge: CommitmentCharge) {
        self.init()
        billingPeriodNumber = charge.number
        totalBillingPeriods = charge.count
        commitmentExpiresDate = charge.expires
        commitmentPrice = charge.price.milliunits
    }
}

extension TransactionRecord {
    /// The ownership type: purchased by the account, or shared by a family member.
    var ownership: Ownership { purchaserTransactionID == nil ? .purchased : .familyShared }

    /// Returns the payload for the signed transaction (`JWSTransaction`).
    func payload(signedDate: Timestamp) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id,
            originalTransactionId: originalID,
            bundleId: bundleID,
            productId: productID,
            purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate,
            quantity: quantity,
            type: type.rawValue,
            signedDate: signedDate,
            environment: environment.rawValue
        )
        payload.webOrderLineItemId = webOrderLineItemID
        payload.subscriptionGroupIdentifier = groupID
        payload.expiresDate = expiresDate
        payload.appAccountToken = appAccountToken
        payload.inAppOwnershipType = ownership.rawValue
        payload.revocationDate = revokedAt
        payload.revocationReason = revokedAt == nil ? nil : revocationReason ?? 0
        payload.revocationType = revocationType
        payload.revocationPercentage = revocationPercentage
        payload.isUpgraded = upgradedAt == nil ? nil : true
        payload.offerType = offerType
        payload.offerIdentifier = offerID
        payload.offerDiscountType = offerMode
        payload.offerPeriod = offerPeriod
        payload.billingPlanType = billingPlan
        payload.commitmentInfo = commitment
        payload.storefront = storefront
        payload.storefrontId = Storefront(countryCode: storefront)?.id
        payload.transactionReason = reason
        if purchaserTransactionID == nil {
            // A Family Sharing transaction does not state a price.
            payload.price = price
            payload.currency = currency
        } else {
            payload.commitmentInfo?.commitmentPrice = nil
        }
        payload.appTransactionId = appTransactionID.isEmpty ? nil : appTransactionID
        return payload
    }
}

extension TransactionRecord {
    /// The value of the column `commitment`, as GRDB reads it; nil without a commitment.
    fileprivate var commitmentJSON: String? {
        commitment.flatMap { try? WireJSON.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension TransactionRecord: PreparedInsertion {
    static let insertion = InsertStatement<TransactionRecord>([
        ("id", { $0.id.rawValue }), ("originalID", { $0.originalID.rawValue }), ("kind", { $0.kind.rawValue }),
        ("account", { $0.account.rawValue }), ("device", { $0.device.rawValue }), ("appVersion", { $0.appVersion }),
        ("productID", { $0.productID.rawValue }), ("type", { $0.type.rawValue }), ("groupID", { $0.groupID?.rawValue }),
        ("quantity", { $0.quantity }), ("price", { $0.price }), ("currency", { $0.currency }), ("reason", { $0.reason }),
        ("purchaseDate", { $0.purchaseDate.milliseconds }), ("originalPurchaseDate", { $0.originalPurchaseDate.milliseconds }),
        ("expiresDate", { $0.expiresDate?.milliseconds }), ("webOrderLineItemID", { $0.webOrderLineItemID }),
        ("appAccountToken", { $0.appAccountToken?.rawValue }), ("applicationUsername", { $0.applicationUsername }),
        ("payment", { $0.payment?.rawValue }), ("restores", { $0.restores?.rawValue }), ("restoreRequest", { $0.restoreRequest }),
        ("finishedAt", { $0.finishedAt?.milliseconds }), ("revokedAt", { $0.revokedAt?.milliseconds }),
        ("bundleID", { $0.bundleID.rawValue }), ("environment", { $0.environment.rawValue }), ("storefront", { $0.storefront }),
        ("appTransactionID", { $0.appTransactionID }), ("orderID", { $0.orderID }),
        ("purchaserTransactionID", { $0.purchaserTransactionID?.rawValue }), ("offerType", { $0.offerType }),
        ("offerID", { $0.offerID }), ("offerMode", { $0.offerMode }), ("offerPeriod", { $0.offerPeriod }),
        ("billingPlan", { $0.billingPlan }),
        ("commitment", { $0.commitmentJSON }),
        ("upgradedAt", { $0.upgradedAt?.milliseconds }), ("period", { $0.period }), ("revocationReason", { $0.revocationReason }),
        ("revocationType", { $0.revocationType }), ("revocationPercentage", { $0.revocationPercentage }), ("change", { $0.change }),
        ("revision", { $0.revision }),
    ])
}
