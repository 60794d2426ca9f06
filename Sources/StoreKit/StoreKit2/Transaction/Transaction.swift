public import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// A purchase, renewal or Family Sharing entitlement that the App Store signed.
///
/// After the app has delivered the product, call ``finish()``.
public struct Transaction: Identifiable, Sendable {
    /// The identifier of the transaction.
    public let id: UInt64
    /// The identifier of the original transaction, to which renewals and restored transactions refer.
    public let originalID: UInt64
    /// The identifier of the charge for one subscription period; nil for products that are not auto-renewable subscriptions.
    public let webOrderLineItemID: String?
    /// The identifier of the product.
    public let productID: String
    /// The identifier of the subscription group; nil for products that are not auto-renewable subscriptions.
    public let subscriptionGroupID: String?
    /// The bundle identifier of the app.
    public let appBundleID: String
    /// The date of the purchase or the renewal.
    public let purchaseDate: Date
    /// The date of the original transaction.
    public let originalPurchaseDate: Date
    /// The date on which the subscription period ends; nil for products that are not auto-renewable subscriptions.
    public let expirationDate: Date?
    /// The number of units that the customer purchased.
    public let purchasedQuantity: Int
    /// Whether the customer has upgraded from this subscription to another, which has a separate transaction.
    public let isUpgraded: Bool
    /// The offer that applied to the purchase; nil for a purchase without an offer.
    public let offer: Offer?
    /// The date on which the App Store refunded or revoked the transaction; nil for a transaction that was not revoked.
    public let revocationDate: Date?
    /// The reason why the App Store refunded or revoked the transaction; nil for a transaction that was not revoked.
    public let revocationReason: RevocationReason?
    /// The type of the product.
    public let productType: Product.ProductType
    /// The UUID that identifies a customer of the developer's server; nil when the app set none.
    ///
    /// The app sets the token with ``Product/PurchaseOption/appAccountToken(_:)``.
    public let appAccountToken: UUID?
    /// The App Store environment in which the purchase was made.
    public let environment: AppStore.Environment
    /// The cause of the transaction: a purchase or a renewal.
    public let reason: Reason
    /// The storefront in which the purchase was made.
    public let storefront: Storefront
    /// The total price of the transaction, in ``currency``; nil when the signed data does not contain it.
    public let price: Decimal?
    /// The currency of ``price``; nil when the signed data does not contain it.
    public let currency: Locale.Currency?
    /// The identifier of the customer's download of the app, which never changes.
    public let appTransactionID: String
    /// The SHA-384 hash of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
    public let deviceVerification: Data
    /// The UUID that is hashed in ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// Whether the customer purchased the product, or has access to it through Family Sharing or through a seat.
    public let ownershipType: OwnershipType
    /// The date on which the App Store signed the transaction.
    public let signedDate: Date
    /// The Advanced Commerce information; nil for purchases that do not use the Advanced Commerce API.
    public let advancedCommerceInfo: AdvancedCommerceInfo?

    let signed: SignedTransaction
    /// The signed payload without signing date and device verification, for equality and hashing.
    let comparablePayload: TransactionPayload
    let origin: Origin

    /// The signed payload as JSON.
    public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }

    /// Finishes the transaction: confirms to the App Store that the app has delivered the product.
    ///
    /// StoreKit 1 and StoreKit 2 no longer list the transaction as unfinished. When the method returns, the device has recorded the
    /// confirmation in its journal, and sends it to the store as soon as the store can be reached. If the journal can't be written, the
    /// transaction is delivered again.
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
    /// Returns whether two transactions have equal payloads, apart from signing date and device verification.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the signed payload without signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The signed payload as JSON text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
