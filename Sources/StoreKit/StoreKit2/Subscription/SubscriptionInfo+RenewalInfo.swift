public import Foundation
import PurchaseModel
import PurchaseProof

extension Product.SubscriptionInfo {
    /// The signed information about the next renewal of a subscription.
    public struct RenewalInfo: Sendable {
        /// The identifier of the subscription's original transaction.
        public let originalTransactionID: UInt64
        /// The identifier of the product in the current period, or in the last period of an expired subscription.
        public let currentProductID: String
        /// Whether the subscription renews automatically at the end of the current period.
        public let willAutoRenew: Bool
        /// The identifier of the product that renews for the next period; nil when auto-renew is disabled.
        public let autoRenewPreference: String?
        /// The reason why the subscription expired; nil when it has not expired.
        public let expirationReason: ExpirationReason?
        /// The state of the customer's consent to a price increase.
        public let priceIncreaseStatus: PriceIncreaseStatus
        /// Whether the subscription is in the billing retry period.
        public let isInBillingRetry: Bool
        /// The date on which the billing grace period ends; nil when the subscription is not in a billing grace period.
        public let gracePeriodExpirationDate: Date?
        /// The offer that applies to the next period; nil when the next period has the standard price.
        public let offer: Transaction.Offer?
        /// The App Store environment in which the subscription was purchased.
        public let environment: AppStore.Environment
        /// The date on which the subscription began, ignoring lapses of paid service of 60 days or less.
        ///
        /// The date is `Date.distantPast` when the signed data does not contain it.
        public let recentSubscriptionStartDate: Date
        /// The date on which the next period begins; nil when the signed data does not contain it.
        public let renewalDate: Date?
        /// The price of the next period, in ``currency``; nil when the signed data does not contain it.
        public let renewalPrice: Decimal?
        /// The currency of ``renewalPrice``; nil when the signed data does not contain it.
        public let currency: Locale.Currency?
        /// The identifiers of the win-back offers for which the customer is eligible, beginning with the best offer.
        public let eligibleWinBackOfferIDs: [String]
        /// The SHA-384 hash of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
        public let deviceVerification: Data
        /// The UUID that is hashed in ``deviceVerification``.
        public let deviceVerificationNonce: UUID
        /// The date on which the App Store signed the renewal information.
        public let signedDate: Date
        /// The UUID that identifies a customer of the developer's server; nil when the app set none.
        public let appAccountToken: UUID?
        /// The identifier of the customer's download of the app, which never changes.
        public let appTransactionID: String
        /// The Advanced Commerce information; nil for subscriptions that do not use the Advanced Commerce API.
        public let advancedCommerceInfo: AdvancedCommerceInfo?

        let signed: SignedRenewalInfo
        /// The signed payload without signing date and device verification, for equality and hashing.
        let comparablePayload: RenewalInfoPayload

        /// The signed payload as JSON.
        public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }
        /// The identifier of ``offer``; nil without an offer, and for an introductory offer.
        public var offerID: String? { offer?.id }
        /// The type of ``offer``; nil without an offer.
        public var offerType: Transaction.OfferType? { offer?.type }
        /// The raw value of the payment mode of ``offer``, such as `FREE_TRIAL`.
        public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
        /// The duration of ``offer`` in ISO 8601 format, such as `P1M`.
        public var offerPeriodStringRepresentation: String? { offer?.iso8601Period }
        /// The raw value of ``environment``, such as `Sandbox`.
        public var environmentStringRepresentation: String { environment.rawValue }
        /// The ISO 4217 code of ``currency``, such as `USD`.
        public var currencyCode: String? { currency?.identifier }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: SignedValue {
    init?(_ payload: RenewalInfoPayload, signed: SignedRenewalInfo, origin: Origin) {
        guard let original = UInt64(payload.originalTransactionId.rawValue) else { return nil }
        originalTransactionID = original
        currentProductID = payload.productId?.rawValue ?? payload.autoRenewProductId?.rawValue ?? ""
        willAutoRenew = payload.autoRenew == .on
        autoRenewPreference = willAutoRenew ? (payload.autoRenewProductId ?? payload.productId)?.rawValue : nil
        expirationReason = payload.expirationIntent.map { ExpirationReason(rawValue: $0) }
        priceIncreaseStatus =
            switch payload.priceIncrease {
            case .notAnswered: .pending
            case .consented: .agreed
            case nil: .noIncreasePending
            }
        isInBillingRetry = payload.isInBillingRetryPeriod ?? false
        gracePeriodExpirationDate = payload.gracePeriodExpiresDate?.date
        offer = Transaction.Offer(
            type: payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType, period: payload.offerPeriod
        )
        environment = AppStore.Environment(rawValue: payload.environment)
        recentSubscriptionStartDate = payload.recentSubscriptionStartDate?.date ?? .distantPast
        renewalDate = payload.renewalDate?.date
        renewalPrice = payload.renewalPrice.map { Decimal(milliunits: $0) }
        currency = payload.currency.map { Locale.Currency($0) }
        eligibleWinBackOfferIDs = payload.eligibleWinBackOfferIds ?? []
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .zero
        signedDate = payload.signedDate.date
        appAccountToken = payload.appAccountToken.flatMap { UUID(uuidString: $0.rawValue) }
        appTransactionID = payload.appTransactionId ?? ""
        advancedCommerceInfo = payload.advancedCommerceInfo.flatMap { AdvancedCommerceInfo($0) }
        self.signed = signed
        var comparablePayload = payload
        comparablePayload.signedDate = Timestamp(milliseconds: 0)
        comparablePayload.deviceVerification = nil
        comparablePayload.deviceVerificationNonce = nil
        self.comparablePayload = comparablePayload
    }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
    /// Returns whether two values have equal payloads, apart from signing date and device verification.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the signed payload without signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The signed payload as JSON text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
