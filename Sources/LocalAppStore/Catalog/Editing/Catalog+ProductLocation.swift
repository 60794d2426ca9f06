import FoundationExtras
import PurchaseModel

extension CatalogProduct {
    /// The prices of the product, its offers, its billing plans and its seats, which must be in the currency of the storefront that the catalog names.
    var allPrices: [Money] {
        let plans = subscription?.billingPlans.flatMap { [$0.price] + ($0.commitmentPrice.map { [$0] } ?? []) } ?? []
        return [price] + (subscription?.offers.map(\.price) ?? []) + plans + (subscription?.seats?.priceTiers.map(\.price) ?? [])
    }

    /// The key of the list in a `.storekit` file that contains products of the product's type.
    fileprivate var list: String {
        switch type {
        case .consumable, .nonConsumable: "products"
        case .nonRenewing: "nonRenewingSubscriptions"
        case .autoRenewable, .freeSubscription: "subscriptionGroups"
        }
    }
}

extension Catalog {
    /// Returns whether a changed product stays in the same list and subscription group of the `.storekit` file.
    static func isSameLocation(_ old: CatalogProduct, _ new: CatalogProduct) -> Bool {
        old.list == new.list && old.subscription?.group == new.subscription?.group
    }

    /// Returns the JSON object of a product in a `.storekit` file; nil if the file has no such product.
    ///
    /// - Parameter keepingPosition: Whether the object stays in the file; with false, the object is removed.
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

    /// Replaces the JSON object of a product in a `.storekit` file, or appends the object to the list of the product's type.
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
