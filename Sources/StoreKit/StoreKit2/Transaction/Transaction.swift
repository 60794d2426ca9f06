public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// A signed purchase, renewal, or Family Sharing entitlement.
///
/// Deliver the product, then call ``finish()``.
public struct Transaction: Identifiable, Sendable {
    /// The transaction's identifier.
    public let id: UInt64
    /// The identifier of the original transaction.
    public let originalID: UInt64
    /// The identifier of the purchase of one subscription period; nil for other products.
    public let webOrderLineItemID: String?
    /// The identifier of the product.
    public let productID: String
    /// The identifier of the subscription group; nil for other products.
    public let subscriptionGroupID: String?
    /// The bundle identifier of the app.
    public let appBundleID: String
    /// The date of the purchase.
    public let purchaseDate: Date
    /// The date of the original transaction.
    public let originalPurchaseDate: Date
    /// The end of the paid period; nil for products other than subscriptions.
    public let expirationDate: Date?
    /// The purchased quantity.
    public let purchasedQuantity: Int
    /// Whether the customer upgraded to another subscription, which has a separate transaction.
    public let isUpgraded: Bool
    /// The offer of the purchase; nil for the standard price.
    public let offer: Offer?
    /// The date of the revocation; nil when there was none.
    public let revocationDate: Date?
    /// The reason for the revocation; nil when there was none.
    public let revocationReason: RevocationReason?
    /// The type of the product.
    public let productType: Product.ProductType
    /// The token that ``Product/PurchaseOption/appAccountToken(_:)`` set; it identifies a customer of the developer's server.
    public let appAccountToken: UUID?
    /// The environment of the purchase.
    public let environment: AppStore.Environment
    /// The cause of the transaction: a purchase or a renewal.
    public let reason: Reason
    /// The storefront of the purchase.
    public let storefront: Storefront
    /// The total price.
    public let price: Decimal?
    /// The currency of ``price``.
    public let currency: Locale.Currency?
    /// The permanent identifier of the customer's download of the app.
    public let appTransactionID: String
    /// The SHA-384 hash of the nonce and ``AppStore/deviceVerificationID``; empty when the signed copy is bound to no device.
    public let deviceVerification: Data
    /// The nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// Whether the customer purchased the product, or shares it through Family Sharing.
    public let ownershipType: OwnershipType
    /// The date of the signature.
    public let signedDate: Date
    /// The Advanced Commerce information; nil for other purchases.
    public let advancedCommerceInfo: AdvancedCommerceInfo?

    let signed: SignedTransaction
    /// The payload without its signing date and device verification.
    let comparablePayload: TransactionPayload
    let origin: Origin

    /// The JSON of the signed payload.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// Marks the transaction as delivered; StoreKit 1 and 2 no longer list it as unfinished.
    ///
    /// When the call returns, the journal on the device holds the mark. The device sends it to the store as soon as the store can
    /// be reached. If the journal can't be written, the transaction is delivered again.
    public func finish() async {
        await origin.activeDevice?.finish(TransactionID("\(id)"))
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
        price = payload.price.map { Decimal(milliunits: $0) }
        currency = payload.currency.map { Locale.Currency($0) }
        appTransactionID = payload.appTransactionId ?? ""
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .zero
        ownershipType = payload.inAppOwnershipType.map { OwnershipType(rawValue: $0) } ?? .purchased
        signedDate = payload.signedDate.date
        advancedCommerceInfo = payload.advancedCommerceInfo.map { AdvancedCommerceInfo($0) }
        self.signed = signed
        var comparablePayload = payload
        comparablePayload.signedDate = Timestamp(milliseconds: 0)
        comparablePayload.deviceVerification = nil
        comparablePayload.deviceVerificationNonce = nil
        self.comparablePayload = comparablePayload
        self.origin = origin
    }
}

extension Transaction: Hashable {
    /// Returns whether two transactions have equal payloads, regardless of signing date and device verification.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the payload without its signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The JSON of the signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
