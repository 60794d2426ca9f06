import PurchaseModel

/// A converter of a catalog's products to the products of one storefront, with localized texts and local prices.
struct StorefrontListing {
    let storefront: Storefront
    /// The storefront of the `.storekit` file, in whose currency the file's prices are.
    let catalogStorefront: Storefront
    let groups: [SubscriptionGroupID: CatalogGroup]

    func localized(_ item: CatalogProduct) -> StoreProduct {
        let texts = texts(item.localizations)
        return StoreProduct(
            id: item.id,
            type: item.type,
            title: texts?.name ?? item.referenceName,
            summary: texts?.summary ?? "",
            price: price(of: item),
            priceLocale: storefront.locale,
            subscription: item.type == .autoRenewable ? item.subscription.map { terms($0, of: item) } : nil,
            isFamilyShareable: item.isFamilyShareable
        )
    }

    /// Returns a product's price in the storefront: the price that the file sets for the country, or the file's price converted.
    func price(of item: CatalogProduct) -> Money {
        if let set = item.prices[storefront.countryCode], set.currency == storefront.currency { return set }
        return item.price.converted(to: storefront.currency)
    }

    func localized(_ offer: SubscriptionOffer) -> SubscriptionOffer {
        var offer = offer
        offer.price = offer.price.converted(to: storefront.currency)
        return offer
    }

    func localized(_ plan: CatalogBillingPlan) -> CatalogBillingPlan {
        var plan = plan
        plan.price = plan.price.converted(to: storefront.currency)
        plan.commitmentPrice = plan.commitmentPrice?.converted(to: storefront.currency)
        return plan
    }

    private func terms(_ subscription: CatalogSubscription, of item: CatalogProduct) -> SubscriptionTerms {
        SubscriptionTerms(
            group: subscription.group,
            level: subscription.level,
            period: subscription.period,
            groupName: name(of: groups[subscription.group]),
            offers: subscription.offers.map(localized),
            monthlyPlan: monthlyPlan(of: subscription),
            seats: subscription.seats.flatMap { seats($0, of: item) }
        )
    }

    /// Returns the seats of a subscription with the prices of the storefront.
    private func seats(_ seats: CatalogSeats, of item: CatalogProduct) -> SeatTerms? {
        var seats = seats
        for index in seats.priceTiers.indices {
            seats.priceTiers[index].price = seats.priceTiers[index].price.converted(to: storefront.currency)
        }
        return seats.pricing(from: price(of: item)).map { SeatTerms(pricing: $0, invitationManagement: seats.invitationManagement) }
    }

    /// Returns the billing plan with monthly charges; nil for a subscription without an enabled one that has a price, or without whole months.
    ///
    /// A file that states no price of the commitment means the sum of the charges.
    private func monthlyPlan(of subscription: CatalogSubscription) -> MonthlyBillingPlan? {
        guard let plan = subscription.billingPlans.first(where: { $0.type == .monthly }), plan.isEnabled, plan.price.milliunits > 0 else {
            return nil
        }
        let charges: Int
        switch subscription.period.unit {
        case .year: charges = subscription.period.value * 12
        case .month: charges = subscription.period.value
        case .day, .week: return nil
        }
        guard (2...366).contains(charges) else { return nil }
        let localized = localized(plan)
        guard let commitmentPrice = localized.commitmentPrice ?? localized.price.times(charges) else { return nil }
        return MonthlyBillingPlan(price: localized.price, charges: charges, commitmentPrice: commitmentPrice)
    }

    /// Returns the localized name of a subscription group, or its reference name if the group has no localization.
    private func name(of group: CatalogGroup?) -> String {
        let localized = texts(group?.localizations ?? [])?.name ?? ""
        return localized.isEmpty ? group?.name ?? "" : localized
    }

    private func texts(_ all: [CatalogLocalization]) -> CatalogLocalization? {
        LocaleName(storefront.locale).choose(from: all, fallback: LocaleName(catalogStorefront.locale))
    }
}
