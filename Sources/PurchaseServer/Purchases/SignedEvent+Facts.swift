package import PurchaseModel
import PurchaseStorage

extension SignedEvent {
    /// Whether the event is from a receipt; a receipt states no offers and no subscription group.
    var isFromReceipt: Bool { source == "receipt" || source == "transaction receipt" }

    /// Whether the event is from a receipt, or from a transaction that an app or a backend submitted.
    ///
    /// An import by identifier is a look-up with the App Store, and does not count as a submission.
    var isSubmitted: Bool { isFromReceipt || source == "app" }

    /// Returns whether the event has content that the stored events of the purchase lack.
    ///
    /// The App Store signs the same transaction again for each request, so the comparison ignores signature dates.
    func isNews(in records: any StorageTransaction) throws -> Bool {
        let purchase = transaction.originalTransactionId
        let stored = try records.transaction(transaction.transactionId, of: purchase)?.transaction
        guard stored?.facts == transaction.facts else { return true }
        guard let renewal else { return false }
        return try records.decidingEvents(of: purchase)?.renewal?.renewal?.facts != renewal.facts
    }
}

extension Entitlement {
    /// The entitlement without the members that identify the deciding event.
    package var facts: Entitlement {
        var copy = self
        copy.signedDate = Timestamp(milliseconds: 0)
        copy.source = ""
        return copy
    }
}
