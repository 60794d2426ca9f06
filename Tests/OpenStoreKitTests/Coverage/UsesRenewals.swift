import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

private typealias RenewalItem = SubscriptionRenewalInfo.AdvancedCommerceInfo.Item
private typealias PriceIncreaseInfo = SubscriptionRenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo

/// Subscription statuses and renewal info.
extension StoreKitUses {
    mutating func addStatus() {
        of("Product.SubscriptionInfo.Status", SubscriptionStatus.self as any (Hashable & Sendable).Type)
        has("updates", { () -> SubscriptionStatus.Statuses in SubscriptionStatus.updates })
        has("all", { () -> AsyncStream<(groupID: String, statuses: [SubscriptionStatus])> in SubscriptionStatus.all })
        has("state", { (it: SubscriptionStatus) -> SubscriptionRenewalState in it.state })
        has("transaction", { (it: SubscriptionStatus) -> VerificationResult<Transaction> in it.transaction })
        has("renewalInfo", { (it: SubscriptionStatus) -> VerificationResult<SubscriptionRenewalInfo> in it.renewalInfo })
        of("Product.SubscriptionInfo.Status.Statuses", SubscriptionStatus.Statuses.self as any (AsyncSequence & Sendable).Type)
        has(
            "makeAsyncIterator()",
            { (it: SubscriptionStatus.Statuses) -> SubscriptionStatus.Statuses.AsyncIterator in it.makeAsyncIterator() })
        has("Element", SubscriptionStatus.Statuses.Element.self)
        of("Product.SubscriptionInfo.Status.Statuses.AsyncIterator", SubscriptionStatus.Statuses.AsyncIterator.self)
        has("next()", { (it: inout SubscriptionStatus.Statuses.AsyncIterator) async -> SubscriptionStatus? in await it.next() })
        of("Product.SubscriptionInfo.RenewalState", SubscriptionRenewalState.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: Int) -> SubscriptionRenewalState in SubscriptionRenewalState(rawValue: a) })
        has("subscribed", SubscriptionRenewalState.subscribed)
        has("expired", SubscriptionRenewalState.expired)
        has("inBillingRetryPeriod", SubscriptionRenewalState.inBillingRetryPeriod)
        has("inGracePeriod", SubscriptionRenewalState.inGracePeriod)
        has("revoked", SubscriptionRenewalState.revoked)
        has("rawValue", { (it: SubscriptionRenewalState) -> Int in it.rawValue })
        has("localizedDescription", { (it: SubscriptionRenewalState) -> String in it.localizedDescription })
        of(
            "Product.SubscriptionInfo.RenewalInfo",
            SubscriptionRenewalInfo.self as any (Hashable & Sendable & CustomDebugStringConvertible).Type)
        has("originalTransactionID", { (it: SubscriptionRenewalInfo) -> UInt64 in it.originalTransactionID })
        has("currentProductID", { (it: SubscriptionRenewalInfo) -> String in it.currentProductID })
        has("willAutoRenew", { (it: SubscriptionRenewalInfo) -> Bool in it.willAutoRenew })
        has("autoRenewPreference", { (it: SubscriptionRenewalInfo) -> String? in it.autoRenewPreference })
        has("expirationReason", { (it: SubscriptionRenewalInfo) -> SubscriptionRenewalInfo.ExpirationReason? in it.expirationReason })
        has(
            "priceIncreaseStatus",
            { (it: SubscriptionRenewalInfo) -> SubscriptionRenewalInfo.PriceIncreaseStatus in it.priceIncreaseStatus })
        has("isInBillingRetry", { (it: SubscriptionRenewalInfo) -> Bool in it.isInBillingRetry })
        has("gracePeriodExpirationDate", { (it: SubscriptionRenewalInfo) -> Date? in it.gracePeriodExpirationDate })
        has("offer", { (it: SubscriptionRenewalInfo) -> Transaction.Offer? in it.offer })
        has("environment", { (it: SubscriptionRenewalInfo) -> AppStore.Environment in it.environment })
        has("recentSubscriptionStartDate", { (it: SubscriptionRenewalInfo) -> Date in it.recentSubscriptionStartDate })
        has("renewalDate", { (it: SubscriptionRenewalInfo) -> Date? in it.renewalDate })
        has("renewalPrice", { (it: SubscriptionRenewalInfo) -> Decimal? in it.renewalPrice })
        has("currency", { (it: SubscriptionRenewalInfo) -> Locale.Currency? in it.currency })
        has("eligibleWinBackOfferIDs", { (it: SubscriptionRenewalInfo) -> [String] in it.eligibleWinBackOfferIDs })
        has("deviceVerification", { (it: SubscriptionRenewalInfo) -> Data in it.deviceVerification })
        has("deviceVerificationNonce", { (it: SubscriptionRenewalInfo) -> UUID in it.deviceVerificationNonce })
        has("signedDate", { (it: SubscriptionRenewalInfo) -> Date in it.signedDate })
        has("appAccountToken", { (it: SubscriptionRenewalInfo) -> UUID? in it.appAccountToken })
        has("appTransactionID", { (it: SubscriptionRenewalInfo) -> String in it.appTransactionID })
        has(
            "advancedCommerceInfo",
            { (it: SubscriptionRenewalInfo) -> SubscriptionRenewalInfo.AdvancedCommerceInfo? in it.advancedCommerceInfo })
        has("jsonRepresentation", { (it: SubscriptionRenewalInfo) -> Data in it.jsonRepresentation })
        has("offerID", { (it: SubscriptionRenewalInfo) -> String? in it.offerID })
        has("offerType", { (it: SubscriptionRenewalInfo) -> Transaction.OfferType? in it.offerType })
        has("offerPaymentModeStringRepresentation", { (it: SubscriptionRenewalInfo) -> String? in it.offerPaymentModeStringRepresentation })
        has("offerPeriodStringRepresentation", { (it: SubscriptionRenewalInfo) -> String? in it.offerPeriodStringRepresentation })
        has("environmentStringRepresentation", { (it: SubscriptionRenewalInfo) -> String in it.environmentStringRepresentation })
        has("currencyCode", { (it: SubscriptionRenewalInfo) -> String? in it.currencyCode })
        has("debugDescription", { (it: SubscriptionRenewalInfo) -> String in it.debugDescription })
        of(
            "Product.SubscriptionInfo.RenewalInfo.ExpirationReason",
            SubscriptionRenewalInfo.ExpirationReason.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: Int) -> SubscriptionRenewalInfo.ExpirationReason in SubscriptionRenewalInfo.ExpirationReason(rawValue: a) })
        has("autoRenewDisabled", SubscriptionRenewalInfo.ExpirationReason.autoRenewDisabled)
        has("billingError", SubscriptionRenewalInfo.ExpirationReason.billingError)
        has("didNotConsentToPriceIncrease", SubscriptionRenewalInfo.ExpirationReason.didNotConsentToPriceIncrease)
        has("productUnavailable", SubscriptionRenewalInfo.ExpirationReason.productUnavailable)
        has("unknown", SubscriptionRenewalInfo.ExpirationReason.unknown)
        has("unbundled", { () -> SubscriptionRenewalInfo.ExpirationReason in SubscriptionRenewalInfo.ExpirationReason.unbundled })
        has("rawValue", { (it: SubscriptionRenewalInfo.ExpirationReason) -> Int in it.rawValue })
        has("localizedDescription", { (it: SubscriptionRenewalInfo.ExpirationReason) -> String in it.localizedDescription })
        of(
            "Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus",
            SubscriptionRenewalInfo.PriceIncreaseStatus.self as any (Hashable & Sendable).Type)
        has("noIncreasePending", SubscriptionRenewalInfo.PriceIncreaseStatus.noIncreasePending)
        has("pending", SubscriptionRenewalInfo.PriceIncreaseStatus.pending)
        has("agreed", SubscriptionRenewalInfo.PriceIncreaseStatus.agreed)
        has("localizedDescription", { (it: SubscriptionRenewalInfo.PriceIncreaseStatus) -> String in it.localizedDescription })
        of(
            "Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo",
            SubscriptionRenewalInfo.AdvancedCommerceInfo.self as any (Hashable & Sendable).Type)
        has("consistencyToken", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> String in it.consistencyToken })
        has("requestReferenceID", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> String in it.requestReferenceID })
        has("taxCode", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> String in it.taxCode })
        has("description", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> String in it.description })
        has("displayName", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> String in it.displayName })
        has("period", { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> SubscriptionPeriod in it.period })
        has(
            "items",
            { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo) -> [SubscriptionRenewalInfo.AdvancedCommerceInfo.Item] in it.items })
        of(
            "Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item",
            SubscriptionRenewalInfo.AdvancedCommerceInfo.Item.self as any (Hashable & Sendable).Type)
        has(
            "details",
            { (it: SubscriptionRenewalInfo.AdvancedCommerceInfo.Item) -> SubscriptionRenewalInfo.AdvancedCommerceInfo.Item.Details in
                it.details
            })
        has("Details", SubscriptionRenewalInfo.AdvancedCommerceInfo.Item.Details.self)
        has("priceIncreaseInfo", { (it: RenewalItem) -> PriceIncreaseInfo? in it.priceIncreaseInfo })
        of(
            "Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo",
            PriceIncreaseInfo.self as any (Hashable & Sendable).Type)
        has("status", { (it: PriceIncreaseInfo) -> PriceIncreaseInfo.Status in it.status })
        has("price", { (it: PriceIncreaseInfo) -> Decimal in it.price })
        has("dependentSKUs", { (it: PriceIncreaseInfo) -> [String] in it.dependentSKUs })
        of(
            "Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status",
            PriceIncreaseInfo.Status.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: String) -> PriceIncreaseInfo.Status in PriceIncreaseInfo.Status(rawValue: a) })
        has("pending", PriceIncreaseInfo.Status.pending)
        has("accepted", PriceIncreaseInfo.Status.accepted)
        has("scheduled", PriceIncreaseInfo.Status.scheduled)
        has("rawValue", { (it: PriceIncreaseInfo.Status) -> String in it.rawValue })
    }
}
