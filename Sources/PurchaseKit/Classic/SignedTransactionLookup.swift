import PurchaseModel
import PurchaseProof
import StoreKit

/// Finds the JWS of StoreKit 1's transactions with StoreKit 2, because StoreKit 1 provides no JWS.
struct SignedTransactionLookup: Sendable {
    let vault: Vault

    /// Returns the signed transactions with these identifiers, except transactions that neither StoreKit 2 nor the vault has.
    ///
    /// `Transaction.unfinished` is read first, because no other list contains the restored transactions of StoreKit 1.
    @concurrent
    func find(_ ids: Set<TransactionID>) async -> [TransactionID: SignedTransaction] {
        var found: [TransactionID: SignedTransaction] = [:]
        func read(_ transactions: StoreKit.Transaction.Transactions) async {
            for await result in transactions {
                let id = result.unsafePayloadValue.transactionID
                if ids.contains(id) { found[id] = SignedTransaction(result.jwsRepresentation) }
            }
        }
        if !ids.isEmpty { await read(StoreKit.Transaction.unfinished) }
        if found.count < ids.count { await read(StoreKit.Transaction.all) }
        guard found.count < ids.count else { return found }
        // Read missing consumables from the vault, because `Transaction.all` omits finished consumables by default.
        let contents = await vault.contents
        for id in ids where found[id] == nil { found[id] = contents.signedTransaction(id) }
        return found
    }

    /// Returns the identifiers of the transactions that are not finished.
    @concurrent
    func unfinished() async -> Set<TransactionID> {
        var ids: Set<TransactionID> = []
        for await result in StoreKit.Transaction.unfinished { ids.insert(result.unsafePayloadValue.transactionID) }
        return ids
    }
}
