public import PurchaseModel

extension Catalog {
    /// The store of a country by its code: one that the catalog was given, else the App Store's; nil for neither.
    public func storefront(_ countryCode: String) -> Storefront? {
        if countryCode == storefront.countryCode { return storefront }
        return contents.storefronts.first { $0.countryCode == countryCode } ?? Storefront(countryCode: countryCode)
    }

    /// The products as a storefront shows them: in its language and at its prices.
    ///
    /// Costs time for each product, unless the storefront is the file's own.
    /// Texts are those of the storefront's locale, else of its language, else of the file's locale, else English, else the first.
    /// Prices are those set for the country, else converted by the rates of ``StoreCurrency``.
    public func products(in storefront: Storefront) -> [StoreProduct] {
        guard storefront != self.storefront else { return products }
        return items.map(shelf(storefront).present)
    }

    /// The product with that identifier, as a storefront shows it.
    public func product(_ id: ProductID, in storefront: Storefront) -> StoreProduct? {
        guard storefront != self.storefront else { return product(id) }
        return item(id).map(shelf(storefront).present)
    }

    /// The offers of a subscription, of every kind, at a storefront's prices; none for other products.
    public func offers(of id: ProductID, in storefront: Storefront) -> [SubscriptionOffer] {
        product(id, in: storefront)?.subscription?.offers ?? []
    }

    /// The other ways of paying for a subscription that can be bought, at a storefront's prices; none for other products.
    public func billingPlans(of id: ProductID, in storefront: Storefront) -> [CatalogBillingPlan] {
        (item(id)?.subscription?.billingPlans ?? []).filter(\.isEnabled).map(shelf(storefront).present)
    }

    /// The subscription at a storefront's price; nil for other products.
    public func plan(_ id: ProductID, in storefront: Storefront) -> SubscriptionPlan? {
        guard let product = product(id, in: storefront), let terms = product.subscription else { return nil }
        return SubscriptionPlan(productID: id, level: terms.level, period: terms.period, price: product.price)
    }

    private func shelf(_ storefront: Storefront) -> ProductListing {
        ProductListing(storefront: storefront, home: self.storefront, groups: contents.groupsByID)
    }
}
