import GRDB
import PurchaseModel

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
