import PurchaseModel

extension CatalogProduct {
    /// All amounts in the currency of the file's storefront.
    var ownPrices: [Money] {
        let plans = subscription?.billingPlans.flatMap { [$0.price] + ($0.commitmentPrice.map { [$0] } ?? []) } ?? []
        return [price] + (subscription?.offers.map(\.price) ?? []) + plans
    }

    /// The JSON list that holds products of the product's type.
    fileprivate var list: String {
        switch type {
        case .consumable, .nonConsumable: "products"
        case .nonRenewing: "nonRenewingSubscriptions"
        case .autoRenewable, .freeSubscription: "subscriptionGroups"
        }
    }
}

extension Catalog {
    /// Whether a changed product keeps its place in the file.
    static func isSamePlace(_ old: CatalogProduct, _ new: CatalogProduct) -> Bool {
        old.list == new.list && old.subscription?.group == new.subscription?.group
    }

    /// Returns the JSON object of a product; removes the object from the file unless `keepingPlace` is true.
    static func take(_ id: ProductID, from file: inout JSONValue, keepingPlace: Bool) -> JSONValue? {
        var taken: JSONValue?
        func look(_ products: inout [JSONValue]) {
            guard taken == nil, let index = products.firstIndex(where: { $0.names("productID", id.rawValue) }) else { return }
            taken = products[index]
            if !keepingPlace { products.remove(at: index) }
        }
        for list in ["products", "nonRenewingSubscriptions"] where file[list] != nil {
            file.change(list, look)
        }
        guard taken == nil, file["subscriptionGroups"] != nil else { return taken }
        file.change("subscriptionGroups") { groups in
            for index in groups.indices where taken == nil && groups[index]["subscriptions"] != nil {
                groups[index].change("subscriptions", look)
            }
        }
        return taken
    }

    /// Writes the JSON object of a product over the existing object, or appends the object to the list of its type.
    static func put(_ json: JSONValue, _ product: CatalogProduct, in file: inout JSONValue) {
        var isPut = false
        func replace(_ products: inout [JSONValue]) {
            guard !isPut, let index = products.firstIndex(where: { $0.names("productID", product.id.rawValue) }) else { return }
            products[index] = json
            isPut = true
        }
        for list in ["products", "nonRenewingSubscriptions"] where file[list] != nil {
            file.change(list, replace)
        }
        guard let group = product.subscription?.group else {
            if !isPut { file.change(product.list) { $0.append(json) } }
            return
        }
        file.change("subscriptionGroups") { groups in
            if !groups.contains(where: { $0.names("id", group.rawValue) }) { groups.append(emptyGroup(group)) }
            for index in groups.indices where groups[index]["subscriptions"] != nil {
                groups[index].change("subscriptions", replace)
            }
            guard !isPut, let index = groups.firstIndex(where: { $0.names("id", group.rawValue) }) else { return }
            groups[index].change("subscriptions") { $0.append(json) }
        }
    }

    static func emptyGroup(_ id: SubscriptionGroupID) -> JSONValue {
        .object([
            JSONValue.Member("id", .string(id.rawValue)), JSONValue.Member("localizations", []),
            JSONValue.Member("name", .string(id.rawValue)), JSONValue.Member("subscriptions", []),
        ])
    }
}
