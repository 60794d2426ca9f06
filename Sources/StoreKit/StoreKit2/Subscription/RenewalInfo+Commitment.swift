public import Foundation
import PurchaseModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// The renewal after the current commitment of a subscription that the customer pays monthly.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The identifier of the product that renews after the commitment.
        public let autoRenewPreference: String
        /// The billing plan with which the subscription renews after the commitment.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// The date on which the commitment ends.
        public let renewalDate: Date
        /// The price of the renewal after the commitment, in the currency of the renewal information.
        public let renewalPrice: Decimal
        /// Whether the subscription renews after the commitment.
        public let willAutoRenew: Bool

        /// Creates the renewal from a signed payload; returns nil if the payload lacks a value.
        init?(_ info: RenewalCommitmentInfo) {
            guard let product = info.commitmentAutoRenewProductId, let plan = info.commitmentRenewalBillingPlanType,
                let date = info.commitmentRenewalDate, let milliunits = info.commitmentRenewalPrice, info.commitmentAutoRenewStatus != nil
            else { return nil }
            autoRenewPreference = product.rawValue
            renewalBillingPlanType = Product.SubscriptionInfo.BillingPlanType(rawValue: plan)
            renewalDate = date.date
            renewalPrice = Decimal(milliunits: milliunits)
            willAutoRenew = info.autoRenewStatus == .on
        }
    }

    /// The renewal after the current commitment; nil for a subscription without a commitment, and for an incomplete commitment.
    ///
    /// A cancellation makes `commitmentInfo.willAutoRenew` false; ``willAutoRenew`` remains true until the last charge of the commitment.
    public var commitmentInfo: CommitmentInfo? { comparablePayload.commitmentInfo.flatMap { CommitmentInfo($0) } }
    /// The billing plan of the next period; nil when the signed data does not contain it.
    public var renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        comparablePayload.renewalBillingPlanType.map { Product.SubscriptionInfo.BillingPlanType(rawValue: $0) }
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The identifier of the bundle to which the next renewal belongs; nil for a renewal outside of a bundle.
    public var bundleProductID: String? { comparablePayload.bundleProductId?.rawValue }
    /// The identifier of the bundle's subscription group; nil for a renewal outside of a bundle.
    public var bundleSubscriptionGroupID: String? { comparablePayload.bundleSubscriptionGroupIdentifier?.rawValue }
    /// The identifier of the bundle's original transaction; nil for a renewal outside of a bundle.
    public var bundleOriginalTransactionID: String? { comparablePayload.bundleOriginalTransactionId?.rawValue }
    /// Whether the subscription leaves its bundle at the next renewal, and renews alone.
    public var willUnbundle: Bool { comparablePayload.isPendingUnbundle ?? false }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The seats of the next renewal (iOS 27.3 beta).
    public struct MultiSeatInfo: Hashable, Sendable {
        /// The numbers of seats by price, in any order (iOS 27.3 beta).
        public let renewalPriceTiers: [Transaction.MultiSeatInfo.PriceTier]

        init(_ info: RenewalMultiSeatInfo) {
            renewalPriceTiers = (info.renewalPriceTiers ?? []).compactMap { Transaction.MultiSeatInfo.PriceTier($0) }
        }
    }

    /// The number of seats with which the subscription renews (iOS 27.3 beta); nil when the signed data does not contain it.
    public var renewalQuantity: Int? { comparablePayload.renewalQuantity }
    /// The seats of the next renewal (iOS 27.3 beta); nil for a renewal without seats.
    public var multiSeatInfo: MultiSeatInfo? { comparablePayload.multiSeatInfo.map { MultiSeatInfo($0) } }
}
