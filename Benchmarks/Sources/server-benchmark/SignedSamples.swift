import Foundation
import PurchaseModel

/// Creates signed transactions and notifications, each with new identifiers.
struct SignedSamples: Sendable {
    let authority: BenchmarkAuthority
    private let now = Timestamp(Date())
    static let month: Int64 = 30 * 86_400

    /// Returns the identifier of a transaction, which has 16 digits like Apple's.
    static func transactionID(_ number: Int) -> TransactionID { TransactionID(String(2_000_000_000_000_000 + number)) }

    /// Returns one period of a subscription.
    ///
    /// - Parameters:
    ///   - index: The index of the period.
    ///   - current: The index of the present period.
    ///   - length: The length of a period in seconds.
    ///   - first: The number of the first transaction.
    func period(
        _ index: Int = 0, current: Int = 0, length: Int64 = month, first: Int, for customer: CustomerID
    ) -> TransactionPayload {
        let start = now.wholeSeconds.adding(seconds: -length / 2 - Int64(current) * length)
        let day = start.adding(seconds: Int64(index) * length)
        var payload = transaction(
            first + index, original: first, BenchmarkShop.monthly, .autoRenewable, at: day, since: start, for: customer)
        payload.expiresDate = day.adding(seconds: length)
        payload.subscriptionGroupIdentifier = "21000001"
        payload.webOrderLineItemId = String(3_000_000_000_000_000 + first + index)
        payload.transactionReason = index == 0 ? "PURCHASE" : "RENEWAL"
        return payload
    }

    /// Returns a transaction of a consumable.
    func consumable(_ product: ProductID, _ number: Int, for customer: CustomerID) -> TransactionPayload {
        let day = now.wholeSeconds.adding(seconds: -60)
        return transaction(number, original: number, product, .consumable, at: day, since: day, for: customer)
    }

    /// Returns the body of a request that submits transactions.
    func submission(_ transactions: [TransactionPayload]) throws -> [UInt8] {
        Self.submission(of: try transactions.map { try authority.sign($0) })
    }

    /// Returns the body of a request that submits signed transactions.
    static func submission(of signed: [String]) -> [UInt8] {
        let proofs = signed.map { #"{"signedTransaction":"\#($0)"}"# }
        return Array(#"{"proofs":[\#(proofs.joined(separator: ","))]}"#.utf8)
    }

    /// Returns a signed notification about a transaction; of a subscription with its renewal info, which was signed later than the
    /// transaction.
    func notification(of transaction: TransactionPayload, _ type: String, _ subtype: String? = nil) throws -> String {
        var data = NotificationData(bundleId: BenchmarkShop.bundleID, environment: transaction.environment)
        data.signedTransactionInfo = SignedTransaction(try authority.sign(transaction))
        if transaction.expiresDate != nil {
            var renewal = RenewalInfoPayload(
                originalTransactionId: transaction.originalTransactionId, productId: transaction.productId, autoRenewStatus: 1,
                environment: transaction.environment, signedDate: transaction.signedDate)
            renewal.renewalDate = transaction.expiresDate
            data.signedRenewalInfo = SignedRenewalInfo(try authority.sign(renewal))
            data.status = 1
        }
        return try authority.sign(
            NotificationPayload(
                notificationType: type, subtype: subtype, notificationUUID: UUID().uuidString.lowercased(), signedDate: now, data: data))
    }

    /// Returns a transaction of a product that the customer owns without an end.
    func owned(_ product: ProductID, _ number: Int, for customer: CustomerID) -> TransactionPayload {
        let day = now.wholeSeconds.adding(seconds: -60)
        return transaction(number, original: number, product, .nonConsumable, at: day, since: day, for: customer)
    }

    private func transaction(
        _ number: Int, original: Int, _ product: ProductID, _ type: ProductType, at day: Timestamp, since first: Timestamp,
        for customer: CustomerID
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: Self.transactionID(number), originalTransactionId: Self.transactionID(original),
            bundleId: BenchmarkShop.bundleID,
            productId: product, purchaseDate: day, originalPurchaseDate: first, quantity: 1, type: type.rawValue, signedDate: day,
            environment: AppEnvironment.sandbox.rawValue)
        payload.appAccountToken = customer
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = "PURCHASE"
        payload.price = 4_990
        payload.currency = "USD"
        payload.appTransactionId = "704000000000000001"
        return payload
    }
}
