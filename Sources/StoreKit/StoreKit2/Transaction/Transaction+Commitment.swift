public import Foundation
import PurchaseModel

extension Transaction {
    /// The commitment of a subscription that the customer pays monthly.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The number of the charge within the commitment, from 1.
        public let billingPeriodNumber: UInt64
        /// The number of charges of the commitment.
        public let totalBillingPeriods: UInt64
        /// The date on which the commitment ends.
        public let expirationDate: Date
        /// The price of the whole commitment, in the currency of the transaction.
        public let price: Decimal

        /// Creates a commitment from a signed payload; returns nil if the payload lacks a value or contains a negative number.
        init?(_ info: TransactionCommitmentInfo) {
            guard let number = info.billingPeriodNumber.flatMap({ UInt64(exactly: $0) }),
                let total = info.totalBillingPeriods.flatMap({ UInt64(exactly: $0) }),
                let end = info.commitmentExpiresDate, let milliunits = info.commitmentPrice, milliunits >= 0
            else { return nil }
            billingPeriodNumber = number
            totalBillingPeriods = total
            expirationDate = end.date
            price = Decimal(milliunits: milliunits)
        }
    }

    /// The billing plan of the subscription; nil when the signed data does not contain it.
    public var billingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        comparablePayload.billingPlanType.map { Product.SubscriptionInfo.BillingPlanType(rawValue: $0) }
    }
    /// The commitment of a subscription that the customer pays monthly; nil for other purchases, and for an incomplete commitment.
    public var commitmentInfo: CommitmentInfo? { comparablePayload.commitmentInfo.flatMap { CommitmentInfo($0) } }
}

extension Transaction {
    /// The identifier of the bundle whose purchase or renewal caused the transaction; nil for a subscription outside of a bundle.
    public var bundleProductID: String? { comparablePayload.bundleProductId?.rawValue }
    /// The identifier of the bundle's subscription group; nil for a subscription outside of a bundle.
    public var bundleSubscriptionGroupID: String? { comparablePayload.bundleSubscriptionGroupIdentifier?.rawValue }
    /// The identifier of the bundle's transaction; nil for a subscription outside of a bundle.
    public var bundleTransactionID: String? { comparablePayload.bundleTransactionId?.rawValue }
    /// The identifier of the bundle's original transaction; nil for a subscription outside of a bundle.
    public var bundleOriginalTransactionID: String? { comparablePayload.bundleOriginalTransactionId?.rawValue }
    /// The identifier that the original transaction had before the subscription's migration to Advanced Commerce; nil without a migration.
    public var previousOriginalTransactionID: UInt64? {
        comparablePayload.previousOriginalTransactionId.flatMap { UInt64($0.rawValue) }
    }
}
