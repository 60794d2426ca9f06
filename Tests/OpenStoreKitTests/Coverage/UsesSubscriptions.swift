import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// Subscriptions and their offers.
extension StoreKitUses {
    mutating func addSubscriptions() {
        of("Product.SubscriptionInfo", SubscriptionInfo.self as any (Hashable & Sendable).Type)
        has("introductoryOffer", { (it: SubscriptionInfo) -> Product.SubscriptionOffer? in it.introductoryOffer })
        has("promotionalOffers", { (it: SubscriptionInfo) -> [Product.SubscriptionOffer] in it.promotionalOffers })
        has("winBackOffers", { (it: SubscriptionInfo) -> [Product.SubscriptionOffer] in it.winBackOffers })
        has("subscriptionGroupID", { (it: SubscriptionInfo) -> String in it.subscriptionGroupID })
        has("subscriptionPeriod", { (it: SubscriptionInfo) -> SubscriptionPeriod in it.subscriptionPeriod })
        has("groupLevel", { (it: SubscriptionInfo) -> Int in it.groupLevel })
        has("groupDisplayName", { (it: SubscriptionInfo) -> String in it.groupDisplayName })
        has("isEligibleForIntroOffer", { (it: SubscriptionInfo) async -> Bool in await it.isEligibleForIntroOffer })
        has("status", { (it: SubscriptionInfo) async throws -> [SubscriptionStatus] in try await it.status })
        has("isEligibleForIntroOffer(for:)", { (a: String) async -> Bool in await SubscriptionInfo.isEligibleForIntroOffer(for: a) })
        has("status(for:)", { (a: String) async throws -> [SubscriptionStatus] in try await SubscriptionInfo.status(for: a) })
        has(
            "status(transactionID:)",
            { (a: UInt64) async throws -> SubscriptionStatus? in try await SubscriptionInfo.status(transactionID: a) })
        of("Product.SubscriptionPeriod", SubscriptionPeriod.self as any (Hashable & Sendable & CustomDebugStringConvertible).Type)
        has("weekly", { () -> SubscriptionPeriod in SubscriptionPeriod.weekly })
        has("monthly", { () -> SubscriptionPeriod in SubscriptionPeriod.monthly })
        has("yearly", { () -> SubscriptionPeriod in SubscriptionPeriod.yearly })
        has("everyThreeDays", { () -> SubscriptionPeriod in SubscriptionPeriod.everyThreeDays })
        has("everyTwoWeeks", { () -> SubscriptionPeriod in SubscriptionPeriod.everyTwoWeeks })
        has("everyTwoMonths", { () -> SubscriptionPeriod in SubscriptionPeriod.everyTwoMonths })
        has("everyThreeMonths", { () -> SubscriptionPeriod in SubscriptionPeriod.everyThreeMonths })
        has("everySixMonths", { () -> SubscriptionPeriod in SubscriptionPeriod.everySixMonths })
        has("unit", { (it: SubscriptionPeriod) -> SubscriptionPeriod.Unit in it.unit })
        has("value", { (it: SubscriptionPeriod) -> Int in it.value })
        has("debugDescription", { (it: SubscriptionPeriod) -> String in it.debugDescription })
        has("dateRange(referenceDate:)", { (it: SubscriptionPeriod, a: Date) -> Range<Date> in it.dateRange(referenceDate: a) })
        has(
            "formatted(_:referenceDate:)",
            [
                { (it: SubscriptionPeriod, a: Product, b: Date) -> String in it.formatted(a.subscriptionPeriodFormatStyle, referenceDate: b)
                },
                { (it: SubscriptionPeriod, b: Date) -> String in
                    it.formatted(Duration.UnitsFormatStyle.units(allowed: [.hours]), referenceDate: b)
                },
            ] as [Any])
        of(
            "Product.SubscriptionPeriod.Unit",
            SubscriptionPeriod.Unit.self as any (Hashable & Sendable & Comparable & CustomDebugStringConvertible).Type)
        has("day", SubscriptionPeriod.Unit.day)
        has("week", SubscriptionPeriod.Unit.week)
        has("month", SubscriptionPeriod.Unit.month)
        has("year", SubscriptionPeriod.Unit.year)
        has("localizedDescription", { (it: SubscriptionPeriod.Unit) -> String in it.localizedDescription })
        has("debugDescription", { (it: SubscriptionPeriod.Unit) -> String in it.debugDescription })
        has("formatted(_:)", { (it: SubscriptionPeriod.Unit, a: SubscriptionPeriod.Unit.FormatStyle) -> String in it.formatted(a) })
        of("Product.SubscriptionPeriod.Unit.FormatStyle", SubscriptionPeriod.Unit.FormatStyle.self as any FormatStyle.Type)
        has("format(_:)", { (it: SubscriptionPeriod.Unit.FormatStyle, a: SubscriptionPeriod.Unit) -> String in it.format(a) })
        has("locale(_:)", { (it: SubscriptionPeriod.Unit.FormatStyle, a: Locale) -> SubscriptionPeriod.Unit.FormatStyle in it.locale(a) })
        of("DateComponents")
        has("init(subscriptionPeriod:)", { (a: SubscriptionPeriod) -> DateComponents in DateComponents(subscriptionPeriod: a) })
    }

    mutating func addOffers() {
        of("Product.SubscriptionOffer", Product.SubscriptionOffer.self as any (Hashable & Sendable).Type)
        has("id", { (it: Product.SubscriptionOffer) -> String? in it.id })
        has("type", { (it: Product.SubscriptionOffer) -> Product.SubscriptionOffer.OfferType in it.type })
        has("price", { (it: Product.SubscriptionOffer) -> Decimal in it.price })
        has("displayPrice", { (it: Product.SubscriptionOffer) -> String in it.displayPrice })
        has("period", { (it: Product.SubscriptionOffer) -> SubscriptionPeriod in it.period })
        has("periodCount", { (it: Product.SubscriptionOffer) -> Int in it.periodCount })
        has("paymentMode", { (it: Product.SubscriptionOffer) -> Product.SubscriptionOffer.PaymentMode in it.paymentMode })
        of(
            "Product.SubscriptionOffer.OfferType",
            Product.SubscriptionOffer.OfferType.self as any (RawRepresentable & Hashable & Sendable).Type)
        has("init(rawValue:)", { (a: String) -> Product.SubscriptionOffer.OfferType in Product.SubscriptionOffer.OfferType(rawValue: a) })
        has("introductory", Product.SubscriptionOffer.OfferType.introductory)
        has("promotional", Product.SubscriptionOffer.OfferType.promotional)
        has("winBack", Product.SubscriptionOffer.OfferType.winBack)
        has("rawValue", { (it: Product.SubscriptionOffer.OfferType) -> String in it.rawValue })
        has("localizedDescription", { (it: Product.SubscriptionOffer.OfferType) -> String in it.localizedDescription })
        of(
            "Product.SubscriptionOffer.PaymentMode",
            Product.SubscriptionOffer.PaymentMode.self as any (RawRepresentable & Hashable & Sendable).Type)
        has(
            "init(rawValue:)",
            { (a: String) -> Product.SubscriptionOffer.PaymentMode in Product.SubscriptionOffer.PaymentMode(rawValue: a) })
        has("payAsYouGo", Product.SubscriptionOffer.PaymentMode.payAsYouGo)
        has("payUpFront", Product.SubscriptionOffer.PaymentMode.payUpFront)
        has("freeTrial", Product.SubscriptionOffer.PaymentMode.freeTrial)
        has("rawValue", { (it: Product.SubscriptionOffer.PaymentMode) -> String in it.rawValue })
        has("localizedDescription", { (it: Product.SubscriptionOffer.PaymentMode) -> String in it.localizedDescription })
        of("Product.SubscriptionOffer.Signature", Product.SubscriptionOffer.Signature.self as any (Hashable & Sendable).Type)
        has(
            "init(keyID:nonce:timestamp:signature:)",
            { (a: String, b: UUID, c: Int, d: Data) -> Product.SubscriptionOffer.Signature in
                Product.SubscriptionOffer.Signature(keyID: a, nonce: b, timestamp: c, signature: d)
            })
        has("keyID", \Product.SubscriptionOffer.Signature.keyID as WritableKeyPath<Product.SubscriptionOffer.Signature, String>)
        has("nonce", \Product.SubscriptionOffer.Signature.nonce as WritableKeyPath<Product.SubscriptionOffer.Signature, UUID>)
        has("timestamp", \Product.SubscriptionOffer.Signature.timestamp as WritableKeyPath<Product.SubscriptionOffer.Signature, Int>)
        has("signature", \Product.SubscriptionOffer.Signature.signature as WritableKeyPath<Product.SubscriptionOffer.Signature, Data>)
    }
}
