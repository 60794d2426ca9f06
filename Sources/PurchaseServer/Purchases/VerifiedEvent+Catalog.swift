import PurchaseModel

extension VerifiedEvent {
    /// Returns the event with the catalog's type of its product if the evidence is a receipt that states none.
    ///
    /// The charge of a transaction follows from the type of its product, and with it the credits and their refund.
    func typed(by catalog: Catalog) -> VerifiedEvent {
        guard case .receipt = evidence else { return self }
        var copy = self
        copy.event.transaction = event.transaction.typed(by: catalog)
        return copy
    }
}

extension TransactionPayload {
    /// Returns the payload with the catalog's type of its product if it states none, as a receipt often does.
    func typed(by catalog: Catalog) -> TransactionPayload {
        guard type == nil else { return self }
        var copy = self
        copy.type = catalog[productId]?.type?.rawValue
        return copy
    }
}
