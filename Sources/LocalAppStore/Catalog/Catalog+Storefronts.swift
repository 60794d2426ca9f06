public import PurchaseModel

extension Catalog {
    /// Returns the storefront of an alpha-3 country code; nil if there is none.
    ///
    /// A storefront that the catalog defines takes precedence over the App Store's.
    public func storefront(_ countryCode: String) -> Storefront? {
        if countryCode == storefront.countryCode { return storefront }
        return contents.storefronts.first { $0.countryCode == countryCode } ?? Storefront(countryCode: countryCode)
    }

    /// Returns the products with the localized texts and the prices of a storefront.
    ///
    /// Texts are in the storefront's locale; otherwise in its language, the file's locale, English, or the first language. Prices are those
    /// that the file sets for the country; otherwise they are converted with the rates of ``StoreCurrency``. The call takes time
    /// proportional to the number of products, unless `storefront` is the file's storefront.
    public func products(in storefront: Storefront) -> [StoreProduct] {
        guard storefront != self.storefront else { return products }
        return items.map(listing(storefront).localized)
    }

    /// Returns a product with the localized texts and the price of a storefront; nil if the catalog has no such product.
    public func product(_ id: ProductID, in storefront: Storefront) -> StoreProduct? {
        guard storefront != self.storefront else { return product(id) }
        return item(id).map(listing(storefront).localized)
    }

    /// Returns a subscription's offers of every kind, with the prices of a storefront; an empty array for other products.
    public func offers(of id: ProductID, in storefront: Storefront) -> [SubscriptionOffer] {
        product(id, in: storefront)?.subscription?.offers ?? []
    }

    /// Returns a subscription's enabled additional billing plans, with the prices of a storefront; an empty array for other products.
    public func billingPlans(of id: ProductID, in storefront: Storefront) -> [CatalogBillingPlan] {
        (item(id)?.subscription?.billingPlans ?? []).filter(\.isEnabled).map(listing(storefront).localized)
    }

    /// Returns a plan of a subscription in a storefront; nil for products that are not subscriptions or lack the billing plan.
    ///
    /// - Parameters:
    ///   - id: The identifier of the product.
    ///   - storefront: The storefront whose price the plan has.
    ///   - billingPlan: The billing plan; nil for the upfront plan.
    public func plan(_ id: ProductID, in storefront: Storefront, _ billingPlan: BillingPlanType? = nil) -> SubscriptionPlan? {
        product(id, in: storefront)?.plan(billingPlan)
    }

    private func listing(_ storefront: Storefront) -> StorefrontListing {
        StorefrontListing(storefront: storefront, catalogStorefront: self.storefront, groups: contents.groupsByID)
    }
}
