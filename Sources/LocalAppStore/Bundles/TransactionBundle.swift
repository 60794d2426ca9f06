import GRDB
import PurchaseModel

/// The bundle of a transaction, with the identifiers that the signed transaction states.
struct TransactionBundle: Codable, Equatable, Sendable {
    let productID: ProductID
    let groupID: SubscriptionGroupID
    /// The identifier of the bundle's transaction, which the store does not list.
    let transactionID: TransactionID
    let originalTransactionID: TransactionID
}

extension TransactionBundle {
    /// Creates the bundle that an imported transaction states; nil if a value is missing.
    init?(_ payload: TransactionPayload) {
        guard let product = payload.bundleProductId, let group = payload.bundleSubscriptionGroupIdentifier,
            let transaction = payload.bundleTransactionId, let original = payload.bundleOriginalTransactionId
        else { return nil }
        self.init(productID: product, groupID: group, transactionID: transaction, originalTransactionID: original)
    }

    /// Creates the bundle of the transaction of a subscription period.
    ///
    /// The transactions of one bundle that begin at the same time state the same transaction of the bundle.
    init(_ bundle: SubscriptionBundle, of row: TransactionRecord, _ db: Database) throws {
        let sql = """
            SELECT json_extract(bundle, '$.transactionID') FROM transactions
            WHERE bundleID = ? AND account = ? AND purchaseDate = ? AND bundle IS NOT NULL
                AND json_extract(bundle, '$.originalTransactionID') = ? LIMIT 1
            """
        let (app, account, original) = (row.bundleID.rawValue, row.account.rawValue, bundle.originalTransactionID.rawValue)
        let known = try String.fetchOne(db.cachedStatement(sql: sql), arguments: [app, account, row.purchaseDate.milliseconds, original])
        let isFirst = try known == nil && !Self.isKnown(original, in: app, of: account, db)
        let id =
            try known.map { TransactionID($0) }
            ?? (isFirst ? bundle.originalTransactionID : TransactionID(StoreCounter.transaction.next(db)))
        self.init(
            productID: bundle.productID, groupID: bundle.groupID, transactionID: id, originalTransactionID: bundle.originalTransactionID)
    }

    /// Returns whether an account has a transaction of a bundle.
    private static func isKnown(_ original: String, in app: String, of account: String, _ db: Database) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM transactions WHERE bundleID = ? AND account = ? AND bundle IS NOT NULL
                    AND json_extract(bundle, '$.originalTransactionID') = ?)
            """
        return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [app, account, original]) == true
    }

    /// Returns whether an identifier is that of a bundle's transaction in an app.
    static func exists(_ id: String, in app: BundleID, _ db: Database) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM transactions WHERE bundleID = ? AND bundle IS NOT NULL
                    AND ? IN (json_extract(bundle, '$.originalTransactionID'), json_extract(bundle, '$.transactionID')))
            """
        return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [app.rawValue, id]) == true
    }
}

extension SubscriptionBundle {
    /// The subscription group of a bundle for which a request states none.
    private static let defaultGroup = SubscriptionGroupID("29999999")

    /// Creates the bundle into which an account's subscription moves.
    ///
    /// A bundle that another active subscription of the account has is the same one.
    init(_ product: ProductID, _ group: SubscriptionGroupID?, for row: SubscriptionRecord, _ db: Database) throws {
        let others = try SubscriptionRecord.all(of: row.account, in: row.bundleID, db)
        let known = others.lazy.filter { $0.purchaserTransactionID == nil && !$0.subscription.hasEnded }.compactMap(
            \.subscription.period.bundle
        )
        .first { $0.productID == product && (group == nil || $0.groupID == group) }
        self =
            try known
            ?? SubscriptionBundle(
                productID: product, groupID: group ?? Self.defaultGroup,
                originalTransactionID: TransactionID(StoreCounter.transaction.next(db)))
    }
}

extension TransactionRecord {
    /// Marks the transaction as revoked because a bundle replaces it.
    ///
    /// The transaction states no `revocationType`, because no documentation states one for the reason.
    ///
    /// - Parameter date: The date of the move, in whole seconds.
    mutating func revokeForBundle(at date: Timestamp) {
        revokedAt = date
        revocationReason = PurchaseRevocationReason.upgradedToBundle.rawValue
        revocationType = nil
        revocationPercentage = nil
    }
}
