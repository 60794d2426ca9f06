public import PurchaseModel

extension Catalog {
    /// The storefront of a country code: one of the catalog's additional storefronts, otherwise one of the App Store's; nil if neither
    /// has the code.
    public func storefront(_ countryCode: String) -> Storefront? {
        if countryCode == storefront.countryCode { return storefront }
        return contents.storefronts.first { $0.countryCode == countryCode } ?? Storefront(countryCode: countryCode)
    }

    /// The products in a storefront: with localized texts and with the storefront's prices.
    ///
    /// The call takes time proportional to the number of products, unless the storefront is the file's own.
    /// Texts are those of the storefront's locale; otherwise those of its language, of the file's locale, of English, or the first ones.
    /// Prices are those set for the country; otherwise the catalog converts them with the rates of ``StoreCurrency``.
    public func products(in storefront: Storefront) -> [StoreProduct] {
        guard storefront != self.storefront else { return products }
        return items.map(listing(storefront).localized)
    }

    /// The product with an identifier, with a storefront's texts and price.
    public func product(_ id: ProductID, in storefront: Storefront) -> StoreProduct? {
        guard storefront != self.storefront else { return product(id) }
        return item(id).map(listing(storefront).localized)
    }

    /// The offers of a subscription, of every kind, at a storefront's prices; empty for other products.
    public func offers(of id: ProductID, in storefront: Storefront) -> [SubscriptionOffer] {
        product(id, in: storefront)?.subscription?.offers ?? []
    }

    /// The additional billing plans of a subscription that are enabled, at a storefront's prices; empty for other products.
    public func billingPlans(of id: ProductID, in storefront: Storefront) -> [CatalogBillingPlan] {
        (item(id)?.subscription?.billingPlans ?? []).filter(\.isEnabled).map(listing(storefront).localized)
    }

    /// The subscription at a storefront's price; nil for other products.
    public func plan(_ id: ProductID, in storefront: Storefront) -> SubscriptionPlan? {
        guard let product = product(id, in: storefront), let terms = product.subscription else { return nil }
        return SubscriptionPlan(productID: id, level: terms.level, period: terms.period, price: product.price)
    }

    private func listing(_ storefront: Storefront) -> ProductListing {
        ProductListing(storefront: storefront, catalogStorefront: self.storefront, groups: contents.groupsByID)
    }
}
