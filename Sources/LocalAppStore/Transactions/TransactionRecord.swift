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
        /// The account is a member of a group, and got a seat of another account's subscription.
        case assigned = "assigned"
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
    /// The total price of all items or seats, in thousandths of the currency's main unit; 0 for an already owned product.
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
    /// The identifier of the purchaser's transaction; nil unless this transaction gives access through Family Sharing or as a group's member.
    var purchaserTransactionID: TransactionID?
    var offerType: Int?
    var offerID: String?
    var offerMode: String?
    /// The total duration of the offer, as an ISO 8601 duration.
    var offerPeriod: String?
    var billingPlan: String?
    /// The position of the subscription period in its commitment, as JSON; nil without a commitment.
    var commitment: TransactionCommitmentInfo?
    /// The seats of the transaction, as JSON; nil for a product that is sold without seats.
    var multiSeatInfo: TransactionMultiSeatInfo?
    /// The reason for the additional transactions of the subscription period; nil for a period with one transaction.
    var additionalTransactionReason: String?
    /// The identifier of the first transaction of the subscription period to which this transaction adds seats; nil for other transactions.
    ///
    /// The transaction has no ``period``, because each period has one transaction with its number.
    var additionTo: TransactionID?
    /// The bundle of the subscription period, as JSON; nil for a stand-alone subscription.
    var bundle: TransactionBundle?
    /// The date on which an upgrade replaced the subscription period before its end; nil if no upgrade did.
    var upgradedAt: Timestamp?
    /// The number of the subscription period, counted from 1; nil for products that are not auto-renewable subscriptions.
    var period: Int?
    /// The `revocationReason`: 1 for an issue within the app, 2 for a move into a bundle, otherwise 0; nil if the transaction is not revoked.
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
        guard let current = rows.first.map({ $0.purchaseDate > now ? rows.last ?? $0 : $0 }) else { return nil }
        guard current.revokedAt != nil, current.additionalTransactionReason != nil else { return current }
        // Added seats give access while the first transaction of the period is refunded.
        return try ofPeriod(current, db).first { $0.revokedAt == nil } ?? current
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

    /// Returns all purchased transactions of a subscription's period, the first one first.
    ///
    /// - Parameter first: The first transaction of the period, or one that adds seats to it.
    static func ofPeriod(_ first: TransactionRecord, _ db: Database) throws -> [TransactionRecord] {
        let id = first.additionTo ?? first.id
        let sql = "SELECT * FROM transactions WHERE (id = ? OR additionTo = ?) AND kind <> 'restore' ORDER BY rowid"
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [id.rawValue, id.rawValue])
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
    /// Copies the product, the dates, the price, the seats and the offer of a subscription period to the transaction.
    ///
    /// - Parameters:
    ///   - period: The subscription period.
    ///   - management: Who invites the members of a group; nil for the value that the transaction states.
    mutating func setPeriod(_ period: SubscriptionPeriod, _ management: InvitationManagement? = nil) {
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
        let invitations = management?.rawValue ?? multiSeatInfo?.invitationManagement ?? InvitationManagement.apple.rawValue
        multiSeatInfo = period.seats.map { TransactionMultiSeatInfo(invitationManagement: invitations, priceTiers: $0) }
        quantity = multiSeatInfo?.seats ?? 1
        additionalTransactionReason = nil
        additionTo = nil
        bundle = nil
    }

    /// Copies the seats and the price of an addition to the transaction, which becomes an additional one of its period.
    ///
    /// - Parameters:
    ///   - addition: The added seats.
    ///   - first: The first transaction of the period.
    mutating func setAddition(_ addition: SeatAddition, to first: TransactionID, at date: Timestamp) {
        period = nil
        additionTo = first
        additionalTransactionReason = AdditionalTransactionReason.seatAddition.rawValue
        reason = TransactionReason.purchase.rawValue
        purchaseDate = date
        quantity = addition.seats
        price = addition.price.milliunits
        multiSeatInfo?.priceTiers = addition.tiers
        multiSeatInfo?.revokedSeatQuantity = nil
        offerType = nil
        offerID = nil
        offerMode = nil
        offerPeriod = nil
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
        multiSeatInfo = other.multiSeatInfo
        bundle = other.bundle
        multiSeatInfo?.revokedSeatQuantity = nil
        quantity = other.quantity
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
