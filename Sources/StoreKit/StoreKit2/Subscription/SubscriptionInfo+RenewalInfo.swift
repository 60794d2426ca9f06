public import Foundation
import PurchaseModel
import PurchaseProof

extension Product.SubscriptionInfo {
    /// What the store intends with a subscription.
    public struct RenewalInfo: Sendable {
        /// The first transaction of the subscription.
        public let originalTransactionID: UInt64
        /// The product subscribed to now, or at last.
        public let currentProductID: String
        /// Whether it will renew at the end of the period.
        public let willAutoRenew: Bool
        /// The product of the next period; nil when it will not renew.
        public let autoRenewPreference: String?
        /// The reason why the subscription expired; nil when it has not expired.
        public let expirationReason: ExpirationReason?
        /// The state of the customer's consent to a price increase.
        public let priceIncreaseStatus: PriceIncreaseStatus
        /// Whether the store is still trying to charge after a failure.
        public let isInBillingRetry: Bool
        /// Until when the customer keeps access while the store tries to charge.
        public let gracePeriodExpirationDate: Date?
        /// The offer of the next period; nil for the ordinary price.
        public let offer: Transaction.Offer?
        /// The environment of the purchase.
        public let environment: AppStore.Environment
        /// When the newest run of paid service without a long gap began; the distant past when that is not stated.
        public let recentSubscriptionStartDate: Date
        /// The date on which the next period begins.
        public let renewalDate: Date?
        /// The price of the next period.
        public let renewalPrice: Decimal?
        /// The currency of ``renewalPrice``.
        public let currency: Locale.Currency?
        /// The win-back offers that the customer may have, best first.
        public let eligibleWinBackOfferIDs: [String]
        /// Binds this copy to a device; empty in a copy bound to none.
        public let deviceVerification: Data
        /// The nonce of ``deviceVerification``.
        public let deviceVerificationNonce: UUID
        /// The date of the signature.
        public let signedDate: Date
        /// The customer of the developer's server that the next renewal will be for.
        public let appAccountToken: UUID?
        /// One for each customer and app, the same for ever.
        public let appTransactionID: String
        /// What Advanced Commerce says beyond; nil for everything else.
        public let advancedCommerceInfo: AdvancedCommerceInfo?

        let signed: SignedRenewalInfo
        /// What it says, whenever and for whichever device this copy was signed.
        private let statement: RenewalInfoPayload

        /// The statement as JSON, as it was signed.
        public var jsonRepresentation: Data { SignedParts(compact: signed.compact).payload }
        /// The identifier of ``offer``.
        public var offerID: String? { offer?.id }
        /// The kind of ``offer``.
        public var offerType: Transaction.OfferType? { offer?.type }
        /// The payment mode of ``offer``, as the store's raw value.
        public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
        /// How long ``offer`` lasts, as an ISO 8601 duration.
        public var offerPeriodStringRepresentation: String? { offer?.statedPeriod }
        /// Where the purchase was made, in the store's word.
        public var environmentStringRepresentation: String { environment.rawValue }
        /// ISO 4217 code of ``currency``.
        public var currencyCode: String? { currency?.identifier }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: SignedValue {
    init?(_ payload: RenewalInfoPayload, signed: SignedRenewalInfo, origin: Origin) {
        guard let original = UInt64(payload.originalTransactionId.rawValue) else { return nil }
        originalTransactionID = original
        currentProductID = payload.productId?.rawValue ?? payload.autoRenewProductId?.rawValue ?? ""
        willAutoRenew = payload.renewal == .on
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
        renewalPrice = payload.renewalPrice.map { Decimal(thousandths: $0) }
        currency = payload.currency.map { Locale.Currency($0) }
        eligibleWinBackOfferIDs = payload.eligibleWinBackOfferIds ?? []
        deviceVerification = payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        deviceVerificationNonce = payload.deviceVerificationNonce.flatMap { UUID(uuidString: $0) } ?? .zero
        signedDate = payload.signedDate.date
        appAccountToken = payload.appAccountToken.flatMap { UUID(uuidString: $0.rawValue) }
        appTransactionID = payload.appTransactionId ?? ""
        advancedCommerceInfo = payload.advancedCommerceInfo.flatMap { AdvancedCommerceInfo($0) }
        self.signed = signed
        var statement = payload
        statement.signedDate = Timestamp(milliseconds: 0)
        statement.deviceVerification = nil
        statement.deviceVerificationNonce = nil
        self.statement = statement
    }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
    /// Statements are equal when they say the same, whenever and for whichever device each copy was signed.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.statement == rhs.statement }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(statement) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The statement as JSON.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
