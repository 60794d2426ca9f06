import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel

/// The app of issued samples: MonkeyShop, the sample app of Tillroll.
enum SampleApp {
    static let bundleID: BundleID = "com.example.monkeyshop"
    static let version = "1.0"
    static let credits5: ProductID = "com.example.monkeyshop.credits5"
    static let credits10: ProductID = "com.example.monkeyshop.credits10"
    static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    static let book: ProductID = "com.example.monkeyshop.book"
    static let magazine: ProductID = "com.example.monkeyshop.magazine"
    static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
}

/// Generates transactions of the sample app: credits, a photo filter, a book, a season pass, and a magazine that renews.
///
/// The same arguments generate the same transactions.
struct SamplePurchases: Sendable {
    let bundleID: BundleID
    let environment: AppEnvironment
    /// The `signedDate` of all payloads; every purchase date is earlier.
    let date: Timestamp
    /// The `transactionId` of the first transaction.
    var firstID: Int64 = 2_000_000_000_000_001

    /// The first one-time purchases, with prices in thousandths of the currency unit; all later one-time purchases are credits.
    private static let onceOnly: [(product: ProductID, type: ProductType, price: Int64)] = [
        (SampleApp.credits5, .consumable, 990),
        (SampleApp.sepia, .nonConsumable, 1_990),
        (SampleApp.book, .nonConsumable, 4_990),
        (SampleApp.summerPass, .nonRenewing, 9_990),
    ]

    /// Returns the given number of transactions, in the order of their identifiers; every second transaction is a period of the magazine.
    func transactions(_ count: Int) -> [TransactionPayload] {
        (0..<max(0, count)).map { index in
            index.isMultiple(of: 2) ? purchase(index, of: count) : period(index, of: count)
        }
    }

    /// Returns the renewal info of the magazine after the given number of transactions.
    func renewalInfo(after count: Int) -> RenewalInfoPayload {
        var info = RenewalInfoPayload(
            originalTransactionId: id(1), productId: SampleApp.magazine, autoRenewStatus: 1, environment: environment.rawValue,
            signedDate: date
        )
        info.renewalDate = start(of: count - 1, of: count).adding(seconds: 60 + periodLength(count))
        return info
    }

    private func id(_ index: Int) -> TransactionID {
        TransactionID(String(firstID.addingReportingOverflow(Int64(index)).partialValue))
    }

    /// Returns the length of a subscription period in seconds: 30 days, or 5 minutes for more than 120 transactions.
    private func periodLength(_ count: Int) -> Int64 {
        count <= 120 ? 30 * 86_400 : 300
    }

    /// Returns the start of a transaction's subscription period; the last transaction is in the current period.
    private func start(of index: Int, of count: Int) -> Timestamp {
        let length = periodLength(count)
        return date.wholeSeconds.adding(seconds: -length / 3 - length * Int64((count - 1) / 2 - index / 2))
    }

    private func purchase(_ index: Int, of count: Int) -> TransactionPayload {
        let number = index / 2
        let credits = number.isMultiple(of: 2) ? (SampleApp.credits5, 990) : (SampleApp.credits10, Int64(1_990))
        let (product, type, price) = number < Self.onceOnly.count ? Self.onceOnly[number] : (credits.0, .consumable, credits.1)
        let day = start(of: index, of: count)
        return payload(id(index), original: id(index), product, type, price: price, at: day, since: day)
    }

    private func period(_ index: Int, of count: Int) -> TransactionPayload {
        let day = start(of: index, of: count).adding(seconds: 60)
        let first = start(of: 1, of: count).adding(seconds: 60)
        var payload = payload(id(index), original: id(1), SampleApp.magazine, .autoRenewable, price: 2_990, at: day, since: first)
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

/// The kinds of signed data that the command issues.
enum SampleKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case transaction, renewal, notification
    case appTransaction = "app-transaction"
}

/// Generates sample payloads of one kind, each with different transaction identifiers.
struct SampleSignedData {
    let kind: SampleKind
    var purchases: SamplePurchases
    private var number = 0

    init(kind: SampleKind, purchases: SamplePurchases) {
        self.kind = kind
        self.purchases = purchases
    }

    /// Returns the next payload as JSON to sign; the nested JWS of a notification are signed by the issuer.
    mutating func next(signedBy issuer: SignedDataIssuer) throws -> [UInt8] {
        defer {
            number += 1
            purchases.firstID += 2
        }
        // Generate two transactions: a consumable, and the first period of the magazine.
        let transactions = purchases.transactions(2)
        let renewal = purchases.renewalInfo(after: 2)
        switch kind {
        case .transaction: return try Array(WireJSON.encode(transactions[0]))
        case .renewal: return try Array(WireJSON.encode(renewal))
        case .appTransaction: return appTransaction.bytes
        case .notification:
            var data = NotificationData(bundleId: purchases.bundleID, environment: purchases.environment.rawValue)
            data.signedTransactionInfo = try issuer.sign(transactions[1])
            data.signedRenewalInfo = try issuer.sign(renewal)
            data.status = 1
            let payload = NotificationPayload(
                notificationType: "SUBSCRIBED", subtype: "INITIAL_BUY", notificationUUID: uuid, signedDate: purchases.date, data: data
            )
            return try Array(WireJSON.encode(payload))
        }
    }

    /// Returns a payload with the members `deviceVerification` and `deviceVerificationNonce`, which bind the payload to a device.
    static func bindingToDevice(_ json: [UInt8], _ deviceBinding: DeviceBinding) -> [UInt8] {
        guard case .object(let members) = JSONReader.read(json) else { return json }
        let sealed =
            members + [
                JSONValue.Member("deviceVerification", .string(deviceBinding.deviceVerification)),
                JSONValue.Member("deviceVerificationNonce", .string(deviceBinding.nonce.uuidString.lowercased())),
            ]
        return JSONValue.object(sealed).bytes
    }

    /// The notification's UUID, which increments with each payload.
    private var uuid: String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    private var appTransaction: JSONValue {
        .object([
            JSONValue.Member("receiptType", .string(purchases.environment.rawValue)),
            JSONValue.Member("bundleId", .string(purchases.bundleID.rawValue)),
            JSONValue.Member("applicationVersion", .string(SampleApp.version)),
            JSONValue.Member("receiptCreationDate", .number(purchases.date.milliseconds)),
            JSONValue.Member("originalPurchaseDate", .number(1_375_340_400_000)),
            JSONValue.Member("originalApplicationVersion", "1.0"),
            JSONValue.Member("appTransactionId", .string(String(purchases.firstID))),
            JSONValue.Member("originalPlatform", "iOS"),
        ])
    }
}
