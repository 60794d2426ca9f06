import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// The Advanced Commerce API.
extension StoreKitUses {
    mutating func addAdvancedCommerce() {
        of("Transaction.AdvancedCommerceInfo", Transaction.AdvancedCommerceInfo.self as any (Hashable & Sendable).Type)
        has("requestReferenceID", { (it: Transaction.AdvancedCommerceInfo) -> String in it.requestReferenceID })
        has("estimatedTax", { (it: Transaction.AdvancedCommerceInfo) -> Decimal in it.estimatedTax })
        has("taxRate", { (it: Transaction.AdvancedCommerceInfo) -> Decimal in it.taxRate })
        has("taxCode", { (it: Transaction.AdvancedCommerceInfo) -> String in it.taxCode })
        has("taxExclusivePrice", { (it: Transaction.AdvancedCommerceInfo) -> Decimal in it.taxExclusivePrice })
        has("description", { (it: Transaction.AdvancedCommerceInfo) -> String? in it.description })
        has("displayName", { (it: Transaction.AdvancedCommerceInfo) -> String? in it.displayName })
        has("period", { (it: Transaction.AdvancedCommerceInfo) -> SubscriptionPeriod? in it.period })
        has("items", { (it: Transaction.AdvancedCommerceInfo) -> [Transaction.AdvancedCommerceInfo.Item] in it.items })
        of("Transaction.AdvancedCommerceInfo.Item", Transaction.AdvancedCommerceInfo.Item.self as any (Hashable & Sendable).Type)
        has("details", { (it: Transaction.AdvancedCommerceInfo.Item) -> Transaction.AdvancedCommerceInfo.Item.Details in it.details })
        has("refunds", { (it: Transaction.AdvancedCommerceInfo.Item) -> [Transaction.AdvancedCommerceInfo.Refund]? in it.refunds })
        has("revocationDate", { (it: Transaction.AdvancedCommerceInfo.Item) -> Date? in it.revocationDate })
        of(
            "Transaction.AdvancedCommerceInfo.Item.Details",
            Transaction.AdvancedCommerceInfo.Item.Details.self as any (Hashable & Sendable).Type)
        has("sku", { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> String in it.sku })
        has("displayName", { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> String in it.displayName })
        has("description", { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> String in it.description })
        has("offer", { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> Transaction.AdvancedCommerceInfo.Offer? in it.offer })
        has("price", { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> Decimal in it.price })
        has(
            "partners",
            { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> [Transaction.AdvancedCommerceInfo.Partner] in it.partners })
        has(
            "seatPriceTiers",
            { (it: Transaction.AdvancedCommerceInfo.Item.Details) -> [Transaction.AdvancedCommerceInfo.SeatPriceTier] in it.seatPriceTiers
            })
        of("Transaction.AdvancedCommerceInfo.Partner", Transaction.AdvancedCommerceInfo.Partner.self as any (Hashable & Sendable).Type)
        has("id", { (it: Transaction.AdvancedCommerceInfo.Partner) -> String in it.id })
        has("name", { (it: Transaction.AdvancedCommerceInfo.Partner) -> String? in it.name })
        of(
            "Transaction.AdvancedCommerceInfo.SeatPriceTier",
            Transaction.AdvancedCommerceInfo.SeatPriceTier.self as any (Hashable & Sendable).Type)
        has("price", { (it: Transaction.AdvancedCommerceInfo.SeatPriceTier) -> Decimal in it.price })
        has("maximumSeatQuantity", { (it: Transaction.AdvancedCommerceInfo.SeatPriceTier) -> Int? in it.maximumSeatQuantity })
        of("Transaction.AdvancedCommerceInfo.Offer", Transaction.AdvancedCommerceInfo.Offer.self as any (Hashable & Sendable).Type)
        has("price", { (it: Transaction.AdvancedCommerceInfo.Offer) -> Decimal in it.price })
        has("period", { (it: Transaction.AdvancedCommerceInfo.Offer) -> SubscriptionPeriod in it.period })
        has("periodCount", { (it: Transaction.AdvancedCommerceInfo.Offer) -> Int in it.periodCount })
        has("reason", { (it: Transaction.AdvancedCommerceInfo.Offer) -> Transaction.AdvancedCommerceInfo.Offer.Reason in it.reason })
        of(
            "Transaction.AdvancedCommerceInfo.Offer.Reason",
            Transaction.AdvancedCommerceInfo.Offer.Reason.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: String) -> Transaction.AdvancedCommerceInfo.Offer.Reason in Transaction.AdvancedCommerceInfo.Offer.Reason(rawValue: a) })
        has("acquisition", Transaction.AdvancedCommerceInfo.Offer.Reason.acquisition)
        has("retention", Transaction.AdvancedCommerceInfo.Offer.Reason.retention)
        has("winBack", Transaction.AdvancedCommerceInfo.Offer.Reason.winBack)
        has("rawValue", { (it: Transaction.AdvancedCommerceInfo.Offer.Reason) -> String in it.rawValue })
        of("Transaction.AdvancedCommerceInfo.Refund", Transaction.AdvancedCommerceInfo.Refund.self as any (Hashable & Sendable).Type)
        has("reason", { (it: Transaction.AdvancedCommerceInfo.Refund) -> Transaction.AdvancedCommerceInfo.Refund.Reason in it.reason })
        has("type", { (it: Transaction.AdvancedCommerceInfo.Refund) -> Transaction.AdvancedCommerceInfo.Refund.RefundType in it.type })
        has("date", { (it: Transaction.AdvancedCommerceInfo.Refund) -> Date in it.date })
        has("amount", { (it: Transaction.AdvancedCommerceInfo.Refund) -> Decimal in it.amount })
        has("revokedSeatQuantity", { (it: Transaction.AdvancedCommerceInfo.Refund) -> Int? in it.revokedSeatQuantity })
        of(
            "Transaction.AdvancedCommerceInfo.Refund.Reason",
            Transaction.AdvancedCommerceInfo.Refund.Reason.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: String) -> Transaction.AdvancedCommerceInfo.Refund.Reason in Transaction.AdvancedCommerceInfo.Refund.Reason(rawValue: a) }
        )
        has("legal", Transaction.AdvancedCommerceInfo.Refund.Reason.legal)
        has("modifyItems", Transaction.AdvancedCommerceInfo.Refund.Reason.modifyItems)
        has("unintended", Transaction.AdvancedCommerceInfo.Refund.Reason.unintended)
        has("unfulfilled", Transaction.AdvancedCommerceInfo.Refund.Reason.unfulfilled)
        has("unsatisfied", Transaction.AdvancedCommerceInfo.Refund.Reason.unsatisfied)
        has("other", Transaction.AdvancedCommerceInfo.Refund.Reason.other)
        has("rawValue", { (it: Transaction.AdvancedCommerceInfo.Refund.Reason) -> String in it.rawValue })
        of(
            "Transaction.AdvancedCommerceInfo.Refund.RefundType",
            Transaction.AdvancedCommerceInfo.Refund.RefundType.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: String) -> Transaction.AdvancedCommerceInfo.Refund.RefundType in
                Transaction.AdvancedCommerceInfo.Refund.RefundType(rawValue: a)
            })
        has("custom", Transaction.AdvancedCommerceInfo.Refund.RefundType.custom)
        has("proRated", Transaction.AdvancedCommerceInfo.Refund.RefundType.proRated)
        has("full", Transaction.AdvancedCommerceInfo.Refund.RefundType.full)
        has("rawValue", { (it: Transaction.AdvancedCommerceInfo.Refund.RefundType) -> String in it.rawValue })
        of(
            "AdvancedCommerceProduct",
            AdvancedCommerceProduct.self as any (Hashable & Sendable & Identifiable & CustomDebugStringConvertible).Type)
        has("init(id:)", { (a: String) async throws -> AdvancedCommerceProduct in try await AdvancedCommerceProduct(id: a) })
        has("id", { (it: AdvancedCommerceProduct) -> String in it.id })
        has("type", { (it: AdvancedCommerceProduct) -> AdvancedCommerceProduct.ProductType in it.type })
        has("supportsMultiSeatPurchase", { (it: AdvancedCommerceProduct) -> Bool in it.supportsMultiSeatPurchase })
        has("latestTransaction", { (it: AdvancedCommerceProduct) async -> VerificationResult<Transaction>? in await it.latestTransaction })
        has("allTransactions", { (it: AdvancedCommerceProduct) -> Transaction.Transactions in it.allTransactions })
        has("currentEntitlements", { (it: AdvancedCommerceProduct) -> Transaction.Transactions in it.currentEntitlements })
        has("debugDescription", { (it: AdvancedCommerceProduct) -> String in it.debugDescription })
        has(
            "purchase(compactJWS:options:)",
            {
                @MainActor (it: AdvancedCommerceProduct, a: String, b: Set<AdvancedCommerceProduct.PurchaseOption>) async throws
                    -> AdvancedCommerceProduct.PurchaseResult in try await it.purchase(compactJWS: a, options: b)
            })
        has("ProductType", AdvancedCommerceProduct.ProductType.self)
        has("PurchaseResult", AdvancedCommerceProduct.PurchaseResult.self)
        of(
            "AdvancedCommerceProduct.PurchaseOption",
            AdvancedCommerceProduct.PurchaseOption.self as any (Hashable & Sendable & CustomDebugStringConvertible).Type)
        has(
            "onStorefrontChange(shouldContinuePurchase:)",
            { (a: @escaping @Sendable (Storefront) -> Bool) -> AdvancedCommerceProduct.PurchaseOption in
                AdvancedCommerceProduct.PurchaseOption.onStorefrontChange(shouldContinuePurchase: a)
            })
        of("InvalidRequestError", InvalidRequestError.self as any Error.Type)
        has("code", { (it: InvalidRequestError) -> Int64 in it.code })
        has("message", { (it: InvalidRequestError) -> String in it.message })
        add(
            "AdvancedCommerceProduct.PurchaseOption.debugDescription",
            { (it: AdvancedCommerceProduct.PurchaseOption) -> String in it.debugDescription })
    }
}
