import PurchaseModel

/// Turns the parts of a `.storekit` file into products of one storefront.
struct StorekitReader {
    let storefront: Storefront

    init(settings: StorekitFile.Settings?) throws(CatalogueError) {
        let code = settings?.storefront ?? Storefront.unitedStates.countryCode
        guard var storefront = Storefront(countryCode: code) else {
            throw .unusable(path: "settings._storefront", reason: "the country's store is not known here.")
        }
        storefront.locale = settings?.locale ?? storefront.locale
        self.storefront = storefront
    }

    func products(of file: StorekitFile) throws(CatalogueError) -> [StoreProduct] {
        var products: [StoreProduct] = []
        for (index, product) in (file.products ?? []).enumerated() {
            products.append(try oneTime(product, path: "products[\(index)]"))
        }
        for (index, product) in (file.nonRenewingSubscriptions ?? []).enumerated() {
            products.append(try oneTime(product, path: "nonRenewingSubscriptions[\(index)]", otherwise: "NonRenewingSubscription"))
        }
        for (groupIndex, group) in (file.subscriptionGroups ?? []).enumerated() {
            for (index, product) in (group.subscriptions ?? []).enumerated() {
                let path = "subscriptionGroups[\(groupIndex)].subscriptions[\(index)]"
                products.append(try subscription(product, group: group.id, path: path))
            }
        }
        return products
    }

    private func oneTime(
        _ product: StorekitFile.Product, path: String, otherwise: String? = nil
    ) throws(CatalogueError) -> StoreProduct {
        switch product.type ?? otherwise {
        case "Consumable": try make(product, .consumable, path: path)
        case "NonConsumable": try make(product, .nonConsumable, path: path)
        case "NonRenewingSubscription": try make(product, .nonRenewing, path: path)
        case nil: throw .missing(path: "\(path).type")
        default: throw .unusable(path: "\(path).type", reason: "it is none of Consumable, NonConsumable and NonRenewingSubscription.")
        }
    }

    private func subscription(_ product: StorekitFile.Product, group: String, path: String) throws(CatalogueError) -> StoreProduct {
        guard product.type == nil || product.type == "RecurringSubscription" else {
            throw .unusable(path: "\(path).type", reason: "a group holds products of the type RecurringSubscription only.")
        }
        var result = try make(product, .autoRenewable, path: path)
        if let written = product.displayPrice, !written.isEmpty, result.price.milliunits == 0 {
            result.type = .freeSubscription
            return result
        }
        guard let text = product.recurringSubscriptionPeriod else { throw .missing(path: "\(path).recurringSubscriptionPeriod") }
        guard let period = BillingPeriod(iso8601: text) else {
            throw .unusable(path: "\(path).recurringSubscriptionPeriod", reason: "it is not one unit such as P1W, P1M or P1Y.")
        }
        result.subscription = SubscriptionTerms(group: SubscriptionGroupID(group), level: product.groupNumber ?? 1, period: period)
        return result
    }

    private func make(_ product: StorekitFile.Product, _ type: ProductType, path: String) throws(CatalogueError) -> StoreProduct {
        guard !product.productID.isEmpty, product.productID.count <= Catalogue.identifierLimit else {
            throw .unusable(path: "\(path).productID", reason: "it has no character, or more than \(Catalogue.identifierLimit).")
        }
        // Xcode leaves the price empty until somebody types one; the product can be had for nothing until then.
        let written = product.displayPrice ?? ""
        guard let price = Money(decimal: written.isEmpty ? "0" : written, currency: storefront.currency) else {
            throw .unusable(path: "\(path).displayPrice", reason: "it is not a plain decimal such as 0.99.")
        }
        let texts = localization(of: product)
        return StoreProduct(
            id: ProductID(product.productID),
            type: type,
            title: texts?.displayName ?? product.referenceName ?? "",
            summary: texts?.description ?? "",
            price: price,
            priceLocale: storefront.locale,
            isFamilyShareable: product.familyShareable ?? false
        )
    }

    /// The texts in the storefront's locale, else in its language, else the first there are.
    private func localization(of product: StorekitFile.Product) -> StorekitFile.Localization? {
        let all = product.localizations ?? []
        let language = storefront.locale.prefix { $0 != "_" }
        return all.first { $0.locale == storefront.locale } ?? all.first { $0.locale?.prefix { $0 != "_" } == language } ?? all.first
    }
}
