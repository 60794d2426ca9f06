import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// StoreKit 2's products, task states and purchase options.
extension StoreKitUses {
    mutating func addProducts() {
        of("Product", Product.self as any (Hashable & Sendable & Identifiable & CustomDebugStringConvertible).Type)
        has("jsonRepresentation", { (it: Product) -> Data in it.jsonRepresentation })
        has("latestTransaction", { (it: Product) async -> VerificationResult<Transaction>? in await it.latestTransaction })
        has("currentEntitlement", { (it: Product) async -> VerificationResult<Transaction>? in await it.currentEntitlement })
        has("currentEntitlements", { (it: Product) -> Transaction.Transactions in it.currentEntitlements })
        has("id", { (it: Product) -> String in it.id })
        has("type", { (it: Product) -> Product.ProductType in it.type })
        has("displayName", { (it: Product) -> String in it.displayName })
        has("description", { (it: Product) -> String in it.description })
        has("price", { (it: Product) -> Decimal in it.price })
        has("displayPrice", { (it: Product) -> String in it.displayPrice })
        has("isFamilyShareable", { (it: Product) -> Bool in it.isFamilyShareable })
        has("subscription", { (it: Product) -> SubscriptionInfo? in it.subscription })
        has("priceFormatStyle", { (it: Product) -> Decimal.FormatStyle.Currency in it.priceFormatStyle })
        has("subscriptionPeriodFormatStyle", { (it: Product) -> PeriodFormatStyle in it.subscriptionPeriodFormatStyle })
        has(
            "subscriptionPeriodUnitFormatStyle",
            { (it: Product) -> SubscriptionPeriod.Unit.FormatStyle in it.subscriptionPeriodUnitFormatStyle })
        has("debugDescription", { (it: Product) -> String in it.debugDescription })
        has("supportsMultiSeatPurchase", { (it: Product) -> Bool in it.supportsMultiSeatPurchase })
        has("products(for:)", { (a: [String]) async throws -> [Product] in try await Product.products(for: a) })
        has(
            "purchase(options:)",
            { @MainActor (it: Product, a: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult in
                try await it.purchase(options: a)
            })
        of("Product.ProductType", Product.ProductType.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: String) -> Product.ProductType in Product.ProductType(rawValue: a) })
        has("consumable", Product.ProductType.consumable)
        has("nonConsumable", Product.ProductType.nonConsumable)
        has("nonRenewable", Product.ProductType.nonRenewable)
        has("autoRenewable", Product.ProductType.autoRenewable)
        has("subscriptionBundle", Product.ProductType.subscriptionBundle)
        has("subscriptionSuite", Product.ProductType.subscriptionSuite)
        has("rawValue", { (it: Product.ProductType) -> String in it.rawValue })
        has("localizedDescription", { (it: Product.ProductType) -> String in it.localizedDescription })
    }

    mutating func addTaskStates() {
        of("EntitlementTaskState", EntitlementTaskState<Int>.self as any Sendable.Type)
        has("loading", { () -> EntitlementTaskState<Int> in .loading })
        has("success(_:)", { (a: Int) -> EntitlementTaskState<Int> in .success(a) })
        has("failure(_:)", { (a: any Error) -> EntitlementTaskState<Int> in .failure(a) })
        has("value", { (it: EntitlementTaskState<Int>) -> Int? in it.value })
        has(
            "transaction",
            { (it: EntitlementTaskState<VerificationResult<Transaction>?>) -> VerificationResult<Transaction>? in it.transaction })
        has(
            "map(_:)",
            { (it: EntitlementTaskState<Int>, a: (Int) throws -> String) throws -> EntitlementTaskState<String> in try it.map(a) })
        has(
            "flatMap(_:)",
            { (it: EntitlementTaskState<Int>, a: (Int) throws -> EntitlementTaskState<String>) throws -> EntitlementTaskState<String> in
                try it.flatMap(a)
            })
        of("Product.TaskState", Product.TaskState.self as any Sendable.Type)
        has("loading", { () -> Product.TaskState in .loading })
        has("success(_:)", { (a: Product) -> Product.TaskState in .success(a) })
        has("unavailable", { () -> Product.TaskState in .unavailable })
        has("failure(_:)", { (a: any Error) -> Product.TaskState in .failure(a) })
        has("product", { (it: Product.TaskState) -> Product? in it.product })
        of("Product.CollectionTaskState", Product.CollectionTaskState.self as any Sendable.Type)
        has("loading", { () -> Product.CollectionTaskState in .loading })
        has("success(_:unavailable:)", { (a: [Product], b: [Product.ID]) -> Product.CollectionTaskState in .success(a, unavailable: b) })
        has("failure(_:)", { (a: any Error) -> Product.CollectionTaskState in .failure(a) })
        has("products", { (it: Product.CollectionTaskState) -> [Product]? in it.products })
        of("Product.SubscriptionRelationship", Product.SubscriptionRelationship.self as any (OptionSet & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: Int) -> Product.SubscriptionRelationship in Product.SubscriptionRelationship(rawValue: a) })
        has("rawValue", { (it: Product.SubscriptionRelationship) -> Int in it.rawValue })
        has("all", Product.SubscriptionRelationship.all)
        has("current", Product.SubscriptionRelationship.current)
        has("upgrade", Product.SubscriptionRelationship.upgrade)
        has("downgrade", Product.SubscriptionRelationship.downgrade)
        has("crossgrade", Product.SubscriptionRelationship.crossgrade)
    }

    mutating func addBuying() {
        of("Product.PurchaseOption", Product.PurchaseOption.self as any (Hashable & Sendable & CustomDebugStringConvertible).Type)
        has("debugDescription", { (it: Product.PurchaseOption) -> String in it.debugDescription })
        has("appAccountToken(_:)", { (a: UUID) -> Product.PurchaseOption in Product.PurchaseOption.appAccountToken(a) })
        has("quantity(_:)", { (a: Int) -> Product.PurchaseOption in Product.PurchaseOption.quantity(a) })
        has(
            "promotionalOffer(offerID:keyID:nonce:signature:timestamp:)",
            { (a: String, b: String, c: UUID, d: Data, e: Int) -> Product.PurchaseOption in
                Product.PurchaseOption.promotionalOffer(offerID: a, keyID: b, nonce: c, signature: d, timestamp: e)
            })
        has(
            "promotionalOffer(offerID:signature:)",
            { (a: String, b: Product.SubscriptionOffer.Signature) -> Product.PurchaseOption in
                Product.PurchaseOption.promotionalOffer(offerID: a, signature: b)
            })
        has(
            "promotionalOffer(_:compactJWS:)",
            { (a: String, b: String) -> [Product.PurchaseOption] in Product.PurchaseOption.promotionalOffer(a, compactJWS: b) })
        has(
            "introductoryOfferEligibility(compactJWS:)",
            { (a: String) -> Product.PurchaseOption in Product.PurchaseOption.introductoryOfferEligibility(compactJWS: a) })
        has("winBackOffer(_:)", { (a: Product.SubscriptionOffer) -> Product.PurchaseOption in Product.PurchaseOption.winBackOffer(a) })
        has(
            "billingPlanType(_:)",
            { (a: SubscriptionInfo.BillingPlanType) -> Product.PurchaseOption in Product.PurchaseOption.billingPlanType(a) })
        has("seats(_:)", { (a: Int) -> Product.PurchaseOption in Product.PurchaseOption.seats(a) })
        has(
            "multiSeatInvitationSheetSuppressed(_:)",
            { (a: Bool) -> Product.PurchaseOption in Product.PurchaseOption.multiSeatInvitationSheetSuppressed(a) })
        has(
            "onStorefrontChange(shouldContinuePurchase:)",
            { (a: @escaping @Sendable (Storefront) -> Bool) -> Product.PurchaseOption in
                Product.PurchaseOption.onStorefrontChange(shouldContinuePurchase: a)
            })
        has(
            "simulatesAskToBuyInSandbox(_:)",
            { (a: Bool) -> Product.PurchaseOption in Product.PurchaseOption.simulatesAskToBuyInSandbox(a) })
        has(
            "custom(key:value:)",
            [
                { (a: String, b: String) -> Product.PurchaseOption in Product.PurchaseOption.custom(key: a, value: b) },
                { (a: String, b: Double) -> Product.PurchaseOption in Product.PurchaseOption.custom(key: a, value: b) },
                { (a: String, b: Bool) -> Product.PurchaseOption in Product.PurchaseOption.custom(key: a, value: b) },
                { (a: String, b: Data) -> Product.PurchaseOption in Product.PurchaseOption.custom(key: a, value: b) },
            ] as [Any])
        of("Product.PurchaseResult", Product.PurchaseResult.self as any Sendable.Type)
        has("success(_:)", { (a: VerificationResult<Transaction>) -> Product.PurchaseResult in .success(a) })
        has("userCancelled", Product.PurchaseResult.userCancelled)
        has("pending", Product.PurchaseResult.pending)
        of("Product.PurchaseError", Product.PurchaseError.self as any (LocalizedError & Hashable).Type)
        has("invalidQuantity", Product.PurchaseError.invalidQuantity)
        has("productUnavailable", Product.PurchaseError.productUnavailable)
        has("purchaseNotAllowed", Product.PurchaseError.purchaseNotAllowed)
        has("ineligibleForOffer", Product.PurchaseError.ineligibleForOffer)
        has("invalidOfferIdentifier", Product.PurchaseError.invalidOfferIdentifier)
        has("invalidOfferPrice", Product.PurchaseError.invalidOfferPrice)
        has("invalidOfferSignature", Product.PurchaseError.invalidOfferSignature)
        has("missingOfferParameters", Product.PurchaseError.missingOfferParameters)
        has("paymentMethodBindingConfigurationRequired", Product.PurchaseError.paymentMethodBindingConfigurationRequired)
        has("multiSeatPurchaseDisabled", Product.PurchaseError.multiSeatPurchaseDisabled)
        has("seatReductionNotAllowed", Product.PurchaseError.seatReductionNotAllowed)
        has("errorDescription", { (it: Product.PurchaseError) -> String? in it.errorDescription })
        has("failureReason", { (it: Product.PurchaseError) -> String? in it.failureReason })
        has("recoverySuggestion", { (it: Product.PurchaseError) -> String? in it.recoverySuggestion })
    }
}
