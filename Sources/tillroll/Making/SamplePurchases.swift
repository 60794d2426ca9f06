import MonkeyShop
import PurchaseModel

/// Sample purchases of the sample app: credits, a photo filter, a book, a season pass, and a magazine that renews.
///
/// The same arguments yield the same purchases.
struct SamplePurchases: Sendable {
    let bundleID: BundleID
    let environment: AppEnvironment
    /// The signing date; all purchases are earlier.
    let date: Timestamp
    /// The `transactionId` of the first transaction.
    var firstID: Int64 = 2_000_000_000_000_001

    /// The products that are bought once; all later purchases outside the magazine are credits.
    private static let onceOnly: [(product: ProductID, type: ProductType, price: Int64)] = [
        (MonkeyShopProduct.credits5, .consumable, 990),
        (MonkeyShopProduct.sepia, .nonConsumable, 1_990),
        (MonkeyShopProduct.book, .nonConsumable, 4_990),
        (MonkeyShopProduct.summerPass, .nonRenewing, 9_990),
    ]

    /// The given number of transactions, in the order of their ids: every other transaction is a period of the magazine.
    func transactions(_ count: Int) -> [TransactionPayload] {
        (0..<max(0, count)).map { index in
            index.isMultiple(of: 2) ? purchase(index, of: count) : period(index, of: count)
        }
    }

    /// The renewal info of the magazine after the given number of transactions.
    func renewalInfo(after count: Int) -> RenewalInfoPayload {
        var info = RenewalInfoPayload(
            originalTransactionId: id(1), productId: MonkeyShopProduct.magazine, autoRenewStatus: 1, environment: environment.rawValue,
            signedDate: date
        )
        info.renewalDate = start(of: count - 1, of: count).adding(seconds: periodLength(count))
        return info
    }

    private func id(_ index: Int) -> TransactionID {
        TransactionID(String(firstID.addingReportingOverflow(Int64(index)).partialValue))
    }

    /// The length of a period: a month, as in production, or five minutes, as in the sandbox, if months would leave the present century.
    private func periodLength(_ count: Int) -> Int64 {
        count <= 120 ? 30 * 86_400 : 300
    }

    /// The start of the period of a transaction; the last transaction's period is the current one.
    private func start(of index: Int, of count: Int) -> Timestamp {
        let length = periodLength(count)
        return date.wholeSeconds.adding(seconds: -length / 3 - length * Int64((count - 1) / 2 - index / 2))
    }

    private func purchase(_ index: Int, of count: Int) -> TransactionPayload {
        let number = index / 2
        let credits = number.isMultiple(of: 2) ? (MonkeyShopProduct.credits5, 990) : (MonkeyShopProduct.credits10, Int64(1_990))
        let (product, type, price) = number < Self.onceOnly.count ? Self.onceOnly[number] : (credits.0, .consumable, credits.1)
        let day = start(of: index, of: count)
        return payload(id(index), original: id(index), product, type, price: price, at: day, since: day)
    }

    private func period(_ index: Int, of count: Int) -> TransactionPayload {
        let day = start(of: index, of: count).adding(seconds: 60)
        let first = start(of: 1, of: count).adding(seconds: 60)
        var payload = payload(id(index), original: id(1), MonkeyShopProduct.magazine, .autoRenewable, price: 2_990, at: day, since: first)
        payload.expiresDate = day.adding(seconds: periodLength(count))
        payload.subscriptionGroupIdentifier = "21000001"
        payload.webOrderLineItemId = String(firstID.addingReportingOverflow(Int64(index) + 1_000_000_000).partialValue)
        payload.transactionReason = index == 1 ? "PURCHASE" : "RENEWAL"
        return payload
    }

    private func payload(
        _ id: TransactionID, original: TransactionID, _ product: ProductID, _ type: ProductType, price: Int64, at day: Timestamp,
        since first: Timestamp
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id, originalTransactionId: original, bundleId: bundleID, productId: product, purchaseDate: day,
            originalPurchaseDate: first, quantity: 1, type: type.rawValue, signedDate: date, environment: environment.rawValue
        )
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = "PURCHASE"
        payload.price = price
        payload.currency = "USD"
        return payload
    }
}
