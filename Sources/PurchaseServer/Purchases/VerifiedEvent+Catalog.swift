package import PurchaseModel
import PurchaseStorage

extension VerifiedEvent {
    /// Returns the event with the product type from the catalog, if the evidence is a receipt without a product type.
    ///
    /// The identifier of a transaction's charge depends on the product type; see ``CreditRule/charge(of:)``. The charge determines the
    /// credits and their refund.
    func typed(by catalog: ProductCatalog) -> VerifiedEvent {
        guard case .receipt = evidence else { return self }
        var copy = self
        copy.event.transaction = event.transaction.typed(by: catalog)
        return copy
    }
}

extension TransactionPayload {
    /// Returns the payload with the product type from the catalog, if the payload states no product type.
    package func typed(by catalog: ProductCatalog) -> TransactionPayload {
        guard type == nil else { return self }
        var copy = self
        copy.type = catalog[productId]?.type?.rawValue
        return copy
    }
}
