import PurchaseModel

extension CatalogProduct {
    /// All amounts in the currency of the file's storefront.
    var allPrices: [Money] {
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
    static func isSameLocation(_ old: CatalogProduct, _ new: CatalogProduct) -> Bool {
        old.list == new.list && old.subscription?.group == new.subscription?.group
    }

    /// Returns the JSON object of a product; removes the object from the file unless `keepingPosition` is true.
    static func extract(_ id: ProductID, from file: inout JSONValue, keepingPosition: Bool) -> JSONValue? {
        var extracted: JSONValue?
        func visit(_ products: inout [JSONValue]) {
            guard extracted == nil, let index = products.firstIndex(where: { $0.hasValue("productID", id.rawValue) }) else { return }
            extracted = products[index]
            if !keepingPosition { products.remove(at: index) }
        }
        for list in ["products", "nonRenewingSubscriptions"] where file[list] != nil {
            file.change(list, visit)
        }
        guard extracted == nil, file["subscriptionGroups"] != nil else { return extracted }
        file.change("subscriptionGroups") { groups in
            for index in groups.indices where extracted == nil && groups[index]["subscriptions"] != nil {
                groups[index].change("subscriptions", visit)
            }
        }
        return extracted
    }

    /// Writes the JSON object of a product over the existing object, or appends the object to the list of its type.
    static func insert(_ json: JSONValue, _ product: CatalogProduct, in file: inout JSONValue) {
        var isInserted = false
        func replace(_ products: inout [JSONValue]) {
            guard !isInserted, let index = products.firstIndex(where: { $0.hasValue("productID", product.id.rawValue) }) else { return }
            products[index] = json
            isInserted = true
        }
        for list in ["products", "nonRenewingSubscriptions"] where file[list] != nil {
            file.change(list, replace)
        }
        guard let group = product.subscription?.group else {
            if !isInserted { file.change(product.list) { $0.append(json) } }
            return
        }
        file.change("subscriptionGroups") { groups in
            if !groups.contains(where: { $0.hasValue("id", group.rawValue) }) { groups.append(emptyGroup(group)) }
            for index in groups.indices where groups[index]["subscriptions"] != nil {
                groups[index].change("subscriptions", replace)
            }
            guard !isInserted, let index = groups.firstIndex(where: { $0.hasValue("id", group.rawValue) }) else { return }
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
