import PurchaseModel

/// A product that the user can choose to restore, with its restored transactions.
struct RestoreOffer: Sendable {
    let product: ProductID
    let parts: [Restorable]

    /// Groups restored transactions by product, in the order in which the products first occur.
    static func offers(of parts: [Restorable]) -> [RestoreOffer] {
        let groups = Dictionary(grouping: parts, by: \.purchase.productID)
        var seen: Set<ProductID> = []
        return parts.map(\.purchase.productID).filter { seen.insert($0).inserted }.map { product in
            RestoreOffer(product: product, parts: groups[product] ?? [])
        }
    }
}
