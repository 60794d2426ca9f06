import Foundation
import PurchaseTestSupport
import StoreKit

private typealias PlanType = SubscriptionInfo.BillingPlanType
private typealias PricingTerms = SubscriptionInfo.PricingTerms
private typealias SeatBasedPricing = SubscriptionInfo.PricingTerms.SeatBasedPricing
private typealias BundledSubscription = SubscriptionInfo.BundledSubscription
private typealias MultiSeatInfo = Transaction.MultiSeatInfo

/// Billing plans, commitments, bundles and seats.
extension StoreKitUses {
    mutating func addPricingTerms() {
        of("Product.SubscriptionInfo")
        has("pricingTerms", { (it: SubscriptionInfo) -> [PricingTerms] in it.pricingTerms })
        has("bundledSubscriptions", { (it: SubscriptionInfo) -> [BundledSubscription] in it.bundledSubscriptions })
        has("BillingPeriod", SubscriptionInfo.BillingPeriod.self as SubscriptionPeriod.Type)
        of("Product.SubscriptionInfo.BillingPlanType", PlanType.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: String) -> PlanType in PlanType(rawValue: a) })
        has("monthly", PlanType.monthly)
        has("upFront", PlanType.upFront)
        has("rawValue", { (it: PlanType) -> String in it.rawValue })
        of("Product.SubscriptionInfo.CommitmentInfo", SubscriptionInfo.CommitmentInfo.self as any (Hashable & Sendable).Type)
        has("price", { (it: SubscriptionInfo.CommitmentInfo) -> Decimal in it.price })
        has("displayPrice", { (it: SubscriptionInfo.CommitmentInfo) -> String in it.displayPrice })
        has("period", { (it: SubscriptionInfo.CommitmentInfo) -> SubscriptionPeriod in it.period })
        of("Product.SubscriptionInfo.BillingInfo", SubscriptionInfo.BillingInfo.self as any (Hashable & Sendable).Type)
        has("price", { (it: SubscriptionInfo.BillingInfo) -> Decimal in it.price })
        has("displayPrice", { (it: SubscriptionInfo.BillingInfo) -> String in it.displayPrice })
        has("period", { (it: SubscriptionInfo.BillingInfo) -> SubscriptionInfo.BillingPeriod in it.period })
        of("Product.SubscriptionInfo.PricingTerms", PricingTerms.self as any (Hashable & Sendable).Type)
        has("billingPrice", { (it: PricingTerms) -> Decimal in it.billingPrice })
        has("billingDisplayPrice", { (it: PricingTerms) -> String in it.billingDisplayPrice })
        has("billingPeriod", { (it: PricingTerms) -> SubscriptionInfo.BillingPeriod in it.billingPeriod })
        has("billingPlanType", { (it: PricingTerms) -> PlanType in it.billingPlanType })
        has("commitmentInfo", { (it: PricingTerms) -> SubscriptionInfo.CommitmentInfo in it.commitmentInfo })
        has("subscriptionOffers", { (it: PricingTerms) -> [Product.SubscriptionOffer] in it.subscriptionOffers })
        has(
            "subscript(offers:)",
            { (it: PricingTerms, a: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] in it[offers: a] })
        has("pricingModel", { (it: PricingTerms) -> PricingTerms.PricingModel in it.pricingModel })
        of("Product.SubscriptionInfo.PricingTerms.PricingModel", PricingTerms.PricingModel.self as any (Hashable & Sendable).Type)
        has("singlePrice(_:)", { (a: PricingTerms.SinglePrice) -> PricingTerms.PricingModel in .singlePrice(a) })
        has("seatBased(_:)", { (a: SeatBasedPricing) -> PricingTerms.PricingModel in .seatBased(a) })
        of("Product.SubscriptionInfo.PricingTerms.SinglePrice", PricingTerms.SinglePrice.self as any (Hashable & Sendable).Type)
        has("billingInfo", { (it: PricingTerms.SinglePrice) -> SubscriptionInfo.BillingInfo in it.billingInfo })
        has("commitmentInfo", { (it: PricingTerms.SinglePrice) -> SubscriptionInfo.CommitmentInfo in it.commitmentInfo })
        of("Product.SubscriptionInfo.PricingTerms.SeatBasedPricing", SeatBasedPricing.self as any (Hashable & Sendable).Type)
        has("priceTiers", { (it: SeatBasedPricing) -> [SeatBasedPricing.PriceTier] in it.priceTiers })
        of(
            "Product.SubscriptionInfo.PricingTerms.SeatBasedPricing.PriceTier",
            SeatBasedPricing.PriceTier.self as any (Hashable & Sendable).Type)
        has("minimumSeats", { (it: SeatBasedPricing.PriceTier) -> Int in it.minimumSeats })
        has("maximumSeats", { (it: SeatBasedPricing.PriceTier) -> Int? in it.maximumSeats })
        has("billingInfo", { (it: SeatBasedPricing.PriceTier) -> SubscriptionInfo.BillingInfo in it.billingInfo })
        of("Product.SubscriptionInfo.BundledSubscription", BundledSubscription.self as any (Hashable & Sendable).Type)
        has("id", { (it: BundledSubscription) -> Product.ID in it.id })
        has("displayName", { (it: BundledSubscription) -> String in it.displayName })
        has("description", { (it: BundledSubscription) -> String in it.description })
        has("price", { (it: BundledSubscription) -> Decimal in it.price })
        has("displayPrice", { (it: BundledSubscription) -> String in it.displayPrice })
        has("isFamilyShareable", { (it: BundledSubscription) -> Bool in it.isFamilyShareable })
        has("subscriptionGroupID", { (it: BundledSubscription) -> String in it.subscriptionGroupID })
        has("subscriptionGroupLevel", { (it: BundledSubscription) -> Int in it.subscriptionGroupLevel })
        has("subscriptionGroupDisplayName", { (it: BundledSubscription) -> String in it.subscriptionGroupDisplayName })
    }

    mutating func addSeatsOfTransactions() {
        of("Transaction")
        has("billingPlanType", { (it: Transaction) -> PlanType? in it.billingPlanType })
        has("commitmentInfo", { (it: Transaction) -> Transaction.CommitmentInfo? in it.commitmentInfo })
        has("bundleProductID", { (it: Transaction) -> String? in it.bundleProductID })
        has("bundleSubscriptionGroupID", { (it: Transaction) -> String? in it.bundleSubscriptionGroupID })
        has("bundleTransactionID", { (it: Transaction) -> String? in it.bundleTransactionID })
        has("bundleOriginalTransactionID", { (it: Transaction) -> String? in it.bundleOriginalTransactionID })
        has("previousOriginalTransactionID", { (it: Transaction) -> UInt64? in it.previousOriginalTransactionID })
        has("multiSeatInfo", { (it: Transaction) -> MultiSeatInfo? in it.multiSeatInfo })
        has(
            "additionalTransactionReason",
            { (it: Transaction) -> Transaction.AdditionalTransactionReason? in it.additionalTransactionReason })
        of("Transaction.CommitmentInfo", Transaction.CommitmentInfo.self as any (Hashable & Sendable).Type)
        has("billingPeriodNumber", { (it: Transaction.CommitmentInfo) -> UInt64 in it.billingPeriodNumber })
        has("totalBillingPeriods", { (it: Transaction.CommitmentInfo) -> UInt64 in it.totalBillingPeriods })
        has("expirationDate", { (it: Transaction.CommitmentInfo) -> Date in it.expirationDate })
        has("price", { (it: Transaction.CommitmentInfo) -> Decimal in it.price })
        of("Transaction.MultiSeatInfo", MultiSeatInfo.self as any (Hashable & Sendable).Type)
        has("invitationManagement", { (it: MultiSeatInfo) -> MultiSeatInfo.InvitationManagement in it.invitationManagement })
        has("priceTiers", { (it: MultiSeatInfo) -> [MultiSeatInfo.PriceTier] in it.priceTiers })
        has("revokedSeatQuantity", { (it: MultiSeatInfo) -> Int? in it.revokedSeatQuantity })
        of(
            "Transaction.MultiSeatInfo.InvitationManagement",
            MultiSeatInfo.InvitationManagement.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: String) -> MultiSeatInfo.InvitationManagement in MultiSeatInfo.InvitationManagement(rawValue: a) })
        has("apple", MultiSeatInfo.InvitationManagement.apple)
        has("developer", MultiSeatInfo.InvitationManagement.developer)
        has("rawValue", { (it: MultiSeatInfo.InvitationManagement) -> String in it.rawValue })
        of("Transaction.MultiSeatInfo.PriceTier", MultiSeatInfo.PriceTier.self as any (Hashable & Sendable).Type)
        has("price", { (it: MultiSeatInfo.PriceTier) -> Decimal in it.price })
        has("quantity", { (it: MultiSeatInfo.PriceTier) -> Int in it.quantity })
        of(
            "Transaction.AdditionalTransactionReason",
            Transaction.AdditionalTransactionReason.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: String) -> Transaction.AdditionalTransactionReason in Transaction.AdditionalTransactionReason(rawValue: a) })
        has("seatAddition", Transaction.AdditionalTransactionReason.seatAddition)
        has("rawValue", { (it: Transaction.AdditionalTransactionReason) -> String in it.rawValue })
    }

    mutating func addSeatsOfRenewals() {
        of("Product.SubscriptionInfo.RenewalInfo")
        has("commitmentInfo", { (it: SubscriptionRenewalInfo) -> SubscriptionRenewalInfo.CommitmentInfo? in it.commitmentInfo })
        has("renewalBillingPlanType", { (it: SubscriptionRenewalInfo) -> PlanType? in it.renewalBillingPlanType })
        has("bundleProductID", { (it: SubscriptionRenewalInfo) -> String? in it.bundleProductID })
        has("bundleSubscriptionGroupID", { (it: SubscriptionRenewalInfo) -> String? in it.bundleSubscriptionGroupID })
        has("bundleOriginalTransactionID", { (it: SubscriptionRenewalInfo) -> String? in it.bundleOriginalTransactionID })
        has("willUnbundle", { (it: SubscriptionRenewalInfo) -> Bool in it.willUnbundle })
        has("renewalQuantity", { (it: SubscriptionRenewalInfo) -> Int? in it.renewalQuantity })
        has("multiSeatInfo", { (it: SubscriptionRenewalInfo) -> SubscriptionRenewalInfo.MultiSeatInfo? in it.multiSeatInfo })
        of(
            "Product.SubscriptionInfo.RenewalInfo.CommitmentInfo",
            SubscriptionRenewalInfo.CommitmentInfo.self as any (Hashable & Sendable).Type)
        has("autoRenewPreference", { (it: SubscriptionRenewalInfo.CommitmentInfo) -> String in it.autoRenewPreference })
        has("renewalBillingPlanType", { (it: SubscriptionRenewalInfo.CommitmentInfo) -> PlanType in it.renewalBillingPlanType })
        has("renewalDate", { (it: SubscriptionRenewalInfo.CommitmentInfo) -> Date in it.renewalDate })
        has("renewalPrice", { (it: SubscriptionRenewalInfo.CommitmentInfo) -> Decimal in it.renewalPrice })
        has("willAutoRenew", { (it: SubscriptionRenewalInfo.CommitmentInfo) -> Bool in it.willAutoRenew })
        of(
            "Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo",
            SubscriptionRenewalInfo.MultiSeatInfo.self as any (Hashable & Sendable).Type)
        has("renewalPriceTiers", { (it: SubscriptionRenewalInfo.MultiSeatInfo) -> [MultiSeatInfo.PriceTier] in it.renewalPriceTiers })
    }
}
