public import Foundation
import PurchaseModel
import PurchaseProof

extension Product.SubscriptionInfo {
    /// The signed renewal information of a subscription.
    public struct RenewalInfo: Sendable {
        /// The identifier of the subscription's original transaction.
        public let originalTransactionID: UInt64
        /// The product of the current or latest period.
        public let currentProductID: String
        /// Whether auto-renew is enabled.
        public let willAutoRenew: Bool
        /// The product of the next period; nil when auto-renew is disabled.
        public let autoRenewPreference: String?
        /// The reason why the subscription expired; nil when it has not expired.
        public let expirationReason: ExpirationReason?
        /// The state of the customer's consent to a price increase.
        public let priceIncreaseStatus: PriceIncreaseStatus
        /// Whether the subscription is in the billing retry period.
        public let isInBillingRetry: Bool
        /// The end of the billing grace period; nil when there is none.
        public let gracePeriodExpirationDate: Date?
        /// The offer of the next period; nil for the ordinary price.
        public let offer: Transaction.Offer?
        /// The environment of the purchase.
        public let environment: AppStore.Environment
        /// The beginning of the latest run of paid service without a gap over 60 days; the distant past when it is absent.
        public let recentSubscriptionStartDate: Date
        /// The date on which the next period begins.
        public let renewalDate: Date?
        /// The price of the next period.
        public let renewalPrice: Decimal?
        /// The currency of ``renewalPrice``.
        public let currency: Locale.Currency?
        /// The identifiers of the win-back offers for which the customer is eligible, best first.
        public let eligibleWinBackOfferIDs: [String]
        /// The hash that binds the signed copy to a device; empty when the copy is bound to no device.
        public let deviceVerification: Data
        /// The nonce of ``deviceVerification``.
        public let deviceVerificationNonce: UUID
        /// The date of the signature.
        public let signedDate: Date
        /// The app account token of the next renewal.
        public let appAccountToken: UUID?
        /// The permanent identifier of the customer's download of the app.
        public let appTransactionID: String
        /// The Advanced Commerce information; nil for other purchases.
        public let advancedCommerceInfo: AdvancedCommerceInfo?

        let signed: SignedRenewalInfo
        /// The payload without its signing date and device verification.
        private let comparablePayload: RenewalInfoPayload

        /// The JSON of the signed payload.
        public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }
        /// The identifier of ``offer``.
        public var offerID: String? { offer?.id }
        /// The type of ``offer``.
        public var offerType: Transaction.OfferType? { offer?.type }
        /// The payment mode of ``offer``, as the store's raw value.
        public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
        /// The duration of ``offer``, as an ISO 8601 duration.
        public var offerPeriodStringRepresentation: String? { offer?.iso8601Period }
        /// The raw value of ``environment``.
        public var environmentStringRepresentation: String { environment.rawValue }
        /// The ISO 4217 code of ``currency``.
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
    /// Returns whether two values have equal payloads, regardless of signing date and device verification.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.comparablePayload == rhs.comparablePayload }

    /// Hashes the payload without its signing date and device verification.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparablePayload) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The JSON of the signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
