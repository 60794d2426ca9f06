import PurchaseModel

/// What the user can choose in a restore: a product, with every restored transaction of it.
struct RestoreOffer: Sendable {
    let product: ProductID
    let parts: [Restorable]

    /// One offer for each product, in the order in which the products came.
    static func offers(of parts: [Restorable]) -> [RestoreOffer] {
        let groups = Dictionary(grouping: parts, by: \.purchase.productID)
        var seen: Set<ProductID> = []
        return parts.map(\.purchase.productID).filter { seen.insert($0).inserted }.map { product in
            RestoreOffer(product: product, parts: groups[product] ?? [])
        }
    }
}
