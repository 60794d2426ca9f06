public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// What the store signed about one purchase, renewal or shared purchase.
///
/// Deliver what was bought, then call ``finish()``.
public struct Transaction: Identifiable, Sendable {
    /// The transaction's number.
    public let id: UInt64
    /// The number of the first transaction of this purchase or subscription.
    public let originalID: UInt64
    /// The purchase of one subscription period; nil for everything else.
    public let webOrderLineItemID: String?
    /// The product that was bought.
    public let productID: String
    /// The subscription's group; nil for everything else.
    public let subscriptionGroupID: String?
    /// The app it was bought in.
    public let appBundleID: String
    /// The date of the purchase.
    public let purchaseDate: Date
    /// The date of the original transaction.
    public let originalPurchaseDate: Date
    /// The end of the paid period; nil for products other than subscriptions.
    public let expirationDate: Date?
    /// The purchased quantity.
    public let purchasedQuantity: Int
    /// Whether the customer upgraded to another subscription; then look for that one's transaction.
    public let isUpgraded: Bool
    /// The offer that it was bought with; nil for the ordinary price.
    public let offer: Offer?
    /// The date of the revocation; nil when there was none.
    public let revocationDate: Date?
    /// The reason for the revocation; nil when there was none.
    public let revocationReason: RevocationReason?
    /// The type of the product.
    public let productType: Product.ProductType
    /// The customer of the developer's server, as ``Product/PurchaseOption/appAccountToken(_:)`` stated.
    public let appAccountToken: UUID?
    /// Where it was made.
    public let environment: AppStore.Environment
    /// Whether the customer bought, or the store renewed.
    public let reason: Reason
    /// The country's store that it was made in.
    public let storefront: Storefront
    /// The total price.
    public let price: Decimal?
    /// The currency of ``price``.
    public let currency: Locale.Currency?
    /// One for each customer and app, the same for ever.
    public let appTransactionID: String
    /// Binds this copy to a device: SHA-384 over nonce and ``AppStore/deviceVerificationID``; empty in a copy bound to none.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// Whether the customer purchased the product, or shares it through Family Sharing.
    public let ownershipType: OwnershipType
    /// The date of the signature.
    public let signedDate: Date
    /// What Advanced Commerce says beyond; nil for everything else.
    public let advancedCommerceInfo: AdvancedCommerceInfo?

    let signed: SignedTransaction
    /// What it says, whenever and for whichever device this copy was signed.
    let statement: TransactionPayload
    let origin: Origin

    /// The statement as JSON, as it was signed.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// Marks it as delivered; it is not shown as unfinished any more, neither here nor by StoreKit 1.
    ///
    /// When it returns, that is written down on the device; the store hears of it when it can be reached.
    public func finish() async {
        await origin.serving?.finish(TransactionID("\(id)"))
    }
}

extension Transaction: SignedValue {
    init?(_ payload: TransactionPayload, signed: SignedTransaction, origin: Origin) {
        guard let id = UInt64(payload.transactionId.rawValue), let originalID = UInt64(payload.originalTransactionId.rawValue) else {
            return nil
        }
        self.id = id
        self.originalID = originalID
        webOrderLineItemID = payload.webOrderLineItemId
        productID = payload.productId.rawValue
        subscriptionGroupID = payload.subscriptionGroupIdentifier?.rawValue
        appBundleID = payload.bundleId.rawValue
        purchaseDate = payload.purchaseDate.date
        originalPurchaseDate = payload.originalPurchaseDate.date
        expirationDate = payload.expiresDate?.date
        purchasedQuantity = payload.quantity
        isUpgraded = payload.isUpgraded ?? false
        offer = Offer(
            type: payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType, period: payload.offerPeriod
        )
        revocationDate = payload.revocationDate?.date
        revocationReason = payload.revocationReason.map { RevocationReason(rawValue: $0) }
        productType = Product.ProductType(rawValue: payload.type ?? "")
        appAccountToken = payload.appAccountToken.flatMap { UUID(uuidString: $0.rawValue) }
        environment = AppStore.Environment(rawValue: payload.environment)
        reason = payload.transactionReason.map { Reason(rawValue: $0) } ?? .purchase
        storefront = Storefront(
            countryCode: payload.storefront ?? "", id: payload.storefrontId ?? "", currency: payload.currency.map { Locale.Currency($0) }
        )
        price = payload.price.map { Decimal(thousandths: $0) }
        currency = payload.currency.map { Locale.Currency($0) }
        appTransactionID = payload.appTransactionId ?? ""
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .zero
        ownershipType = payload.inAppOwnershipType.map { OwnershipType(rawValue: $0) } ?? .purchased
        signedDate = payload.signedDate.date
        advancedCommerceInfo = payload.advancedCommerceInfo.map { AdvancedCommerceInfo($0) }
        self.signed = signed
        var statement = payload
        statement.signedDate = Timestamp(milliseconds: 0)
        statement.deviceVerification = nil
        statement.deviceVerificationNonce = nil
        self.statement = statement
        self.origin = origin
    }
}

extension Transaction: Hashable {
    /// Transactions are equal when they say the same, whenever and for whichever device each copy was signed.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool { lhs.statement == rhs.statement }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(statement) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The statement as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
