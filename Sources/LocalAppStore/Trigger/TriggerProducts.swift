import PurchaseModel

/// The two subscriptions of one subscription group with which the store simulates notifications.
///
/// The subscriptions are the app's products, or made-up products if the app has no suitable ones.
struct TriggerProducts: Hashable, Sendable {
    /// The subscription group of both products.
    let group: SubscriptionGroupID
    private let lower: SubscriptionPlan
    private let higher: SubscriptionPlan

    /// Selects the two products from an app's catalog, or makes them up.
    ///
    /// - Parameter product: The product that the account purchases first; nil for the first subscription of the catalog.
    /// - Throws: ``AppError/productUnknown`` if the app does not have `product`, or ``NotificationError/triggerNotApplicable(_:)`` if `product`
    ///   is not an auto-renewable subscription.
    init(_ app: StoreApp, _ storefront: Storefront, _ product: ProductID?, scenario: SubscriptionScenario) throws {
        let products = app.catalog.products.compactMap { app.catalog.product($0.id, in: storefront) }
        let plans = products.filter { $0.type == .autoRenewable }.compactMap { product in
            product.subscription.flatMap { terms in product.plan().map { (group: terms.group, plan: $0) } }
        }
        if let product, !plans.contains(where: { $0.plan.productID == product }) {
            throw products.contains { $0.id == product }
                ? NotificationError.triggerNotApplicable("This notification requires an auto-renewable subscription; name another product.")
                : AppError.productUnknown
        }
        let first = plans.first { product == nil || $0.plan.productID == product }
        group = first?.group ?? "tillroll.trigger"
        let currency = storefront.currency
        guard let startPlan = first?.plan ?? Self.placeholder(currency) else { throw AppError.productUnknown }
        let others = plans.filter { $0.group == first?.group && $0.plan.level != startPlan.level }.map(\.plan)
        if scenario.startsAtHigherLevel {
            higher = startPlan
            lower = others.first { $0.level > startPlan.level } ?? Self.variant(of: startPlan, "lower", level: .max)
        } else {
            lower = startPlan
            higher = others.first { $0.level < startPlan.level } ?? Self.variant(of: startPlan, "higher", level: .min)
        }
    }

    func plan(higher isHigher: Bool) -> SubscriptionPlan { isHigher ? higher : lower }

    /// Returns a promotional offer for one of the products: three periods at half the price.
    func offer(higher: Bool) -> SubscriptionOffer {
        let plan = plan(higher: higher)
        let price = Money(milliunits: plan.price.milliunits / 2, currency: plan.price.currency)
        return SubscriptionOffer(
            kind: .promotional, id: "tillroll.trigger.offer", mode: .payAsYouGo, period: plan.period, periodCount: 3, price: price)
    }

    /// Returns a price that is one unit of the currency higher than a product's price.
    func raisedPrice(of plan: SubscriptionPlan) -> Money {
        let (sum, overflow) = plan.price.milliunits.addingReportingOverflow(1_000)
        return Money(milliunits: overflow ? .max : sum, currency: plan.price.currency)
    }

    private static func variant(of plan: SubscriptionPlan, _ name: String, level: Int) -> SubscriptionPlan {
        var variant = plan
        variant.productID = ProductID("\(plan.productID.rawValue).\(name)")
        variant.level = level
        return variant
    }

    private static func placeholder(_ currency: String) -> SubscriptionPlan? {
        BillingPeriod(1, .month).map { month in
            SubscriptionPlan(
                productID: "tillroll.trigger.basic", level: 2, period: month, price: Money(milliunits: 4_990, currency: currency))
        }
    }
}
