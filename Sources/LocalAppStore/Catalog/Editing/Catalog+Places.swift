import PurchaseModel

extension CatalogProduct {
    /// Every amount that is in the currency of the file's storefront.
    var ownPrices: [Money] {
        let plans = subscription?.billingPlans.flatMap { [$0.price] + ($0.commitmentPrice.map { [$0] } ?? []) } ?? []
        return [price] + (subscription?.offers.map(\.price) ?? []) + plans
    }

    /// The list of the file that holds products of its type.
    fileprivate var list: String {
        switch type {
        case .consumable, .nonConsumable: "products"
        case .nonRenewing: "nonRenewingSubscriptions"
        case .autoRenewable, .freeSubscription: "subscriptionGroups"
        }
    }
}

extension Catalog {
    /// Whether a change of a product leaves it where it is in the file.
    static func isSamePlace(_ old: CatalogProduct, _ new: CatalogProduct) -> Bool {
        old.list == new.list && old.subscription?.group == new.subscription?.group
    }

    /// The object of a product; taken out of the file unless it keeps its place.
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

    /// Puts the object of a product over the one that it has in the file, else at the end of its list.
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
