/// A value of a signed payload that this version does not know, because the App Store added it later.
///
/// An unknown value never ends paid access and never adds credits; `docs/server-api.md` states the effect of each.
public struct UnknownValue: Hashable, Sendable {
    /// The name of the payload's member, such as `inAppOwnershipType`.
    public var member: String
    /// The value as text.
    public var value: String

    fileprivate init?(_ member: String, _ value: (some CustomStringConvertible)?, isKnown: Bool) {
        guard let value, !isKnown else { return nil }
        (self.member, self.value) = (member, "\(value)")
    }
}

extension TransactionPayload {
    /// The values of enumerations that this version does not know, in the order of the payload's members.
    public var unknownValues: [UnknownValue] {
        [
            UnknownValue("type", type, isKnown: productType != nil),
            UnknownValue("inAppOwnershipType", inAppOwnershipType, isKnown: ownership != nil),
            UnknownValue("transactionReason", transactionReason, isKnown: reason != nil),
            UnknownValue("additionalTransactionReason", additionalTransactionReason, isKnown: reasonOfAddition != nil),
            UnknownValue("revocationReason", revocationReason, isKnown: reasonOfRevocation != nil),
            UnknownValue("revocationType", revocationType, isKnown: kindOfRevocation != nil),
            UnknownValue("offerType", offerType, isKnown: offer != nil),
            UnknownValue("offerDiscountType", offerDiscountType, isKnown: offerDiscount != nil),
            UnknownValue("billingPlanType", billingPlanType, isKnown: billingPlan != nil),
            UnknownValue(
                "multiSeatInfo.invitationManagement", multiSeatInfo?.invitationManagement, isKnown: multiSeatInfo?.management != nil),
        ].compactMap { $0 }
    }
}

extension RenewalInfoPayload {
    /// The values of enumerations that this version does not know, in the order of the payload's members.
    public var unknownValues: [UnknownValue] {
        [
            UnknownValue("autoRenewStatus", autoRenewStatus, isKnown: autoRenew != nil),
            UnknownValue("expirationIntent", expirationIntent, isKnown: expirationReason != nil),
            UnknownValue("priceIncreaseStatus", priceIncreaseStatus, isKnown: priceIncrease != nil),
            UnknownValue("offerType", offerType, isKnown: offer != nil),
            UnknownValue("offerDiscountType", offerDiscountType, isKnown: offerDiscount != nil),
            UnknownValue("renewalBillingPlanType", renewalBillingPlanType, isKnown: renewalBillingPlan != nil),
            UnknownValue(
                "commitmentInfo.commitmentAutoRenewStatus", commitmentInfo?.commitmentAutoRenewStatus,
                isKnown: commitmentInfo?.autoRenewStatus != nil),
            UnknownValue(
                "commitmentInfo.commitmentRenewalBillingPlanType", commitmentInfo?.commitmentRenewalBillingPlanType,
                isKnown: commitmentInfo?.billingPlan != nil),
        ].compactMap { $0 }
    }
}
