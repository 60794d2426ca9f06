import GRDB
import PurchaseModel

/// What a payment would buy and cost: decided from the catalogue and from what the account owns, before anything is written.
struct Sale {
    /// The product.
    var product: StoreProduct
    /// The price of all of it, in thousandths; 0 for what is owned already.
    var price: Int64
    /// The first transaction of the purchase that this one continues.
    var original: TransactionRow?

    /// Prices a payment.
    ///
    /// - Throws: ``PurchaseRefusal``.
    init(_ payment: PaymentRow, catalogue: Catalogue, _ db: Database) throws {
        guard let product = catalogue.product(payment.productID) else { throw PurchaseRefusal.productUnknown }
        guard (1...10).contains(payment.quantity), payment.quantity == 1 || product.type.allowsQuantity else {
            throw PurchaseRefusal.quantity
        }
        guard payment.appAccountToken?.isWellFormed ?? true else { throw PurchaseRefusal.appAccountToken }
        guard let total = product.price.times(payment.quantity) else { throw PurchaseRefusal.total }
        self.product = product
        self.price = total.milliunits
        switch product.type {
        case .consumable, .nonRenewing:
            break
        case .nonConsumable, .freeSubscription:
            original = try Self.owned(product.id, by: payment.account, db)
            price = original == nil ? price : 0
        case .autoRenewable:
            original = try Self.lapsed(product, of: payment.account, db)
        }
    }

    /// The first transaction of what the account owns of this product and was not refunded.
    private static func owned(_ product: ProductID, by account: AccountID, _ db: Database) throws -> TransactionRow? {
        let sql = """
            SELECT * FROM transactions WHERE account = ? AND productID = ? AND id = originalID AND revokedAt IS NULL
            ORDER BY rowid LIMIT 1
            """
        return try TransactionRow.fetchOne(db, sql: sql, arguments: [account.rawValue, product.rawValue])
    }

    /// The first transaction of the account's subscription in this group, which goes on under its id when it is bought again.
    private static func lapsed(_ product: StoreProduct, of account: AccountID, _ db: Database) throws -> TransactionRow? {
        let sql = "SELECT * FROM subscriptions WHERE account = ? AND groupID = ?"
        let arguments: StatementArguments = [account.rawValue, product.subscription?.group.rawValue]
        guard let row = try SubscriptionRow.fetchOne(db, sql: sql, arguments: arguments) else { return nil }
        switch row.subscription.state {
        case .active, .gracePeriod, .billingRetry: throw PurchaseRefusal.alreadySubscribed
        case .expired, .revoked: return try TransactionRow.find(row.id, db)
        }
    }
}
