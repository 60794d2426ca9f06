import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// The options that identify a transaction.
struct TransactionTarget: ParsableArguments {
    @Argument(help: "The transaction; not needed when an account names it.")
    var transaction: String?

    @Option(help: "The account whose newest transaction it is, instead of its number.")
    var account: String?

    @Option(help: "The product, where the newest transaction is of another one.")
    var product: String?

    func validate() throws {
        guard (transaction == nil) != (account == nil) else {
            throw ValidationError("Name the transaction by its number, or by --account.")
        }
    }

    /// The newest transaction that matches.
    func find(in store: StoreClient) async throws -> TransactionID {
        if let transaction { return TransactionID(transaction) }
        let account = account ?? ""
        let all = try await store.call(ControlEndpoints.transactions, ["account": account]).summaries
        let newest = all.last { summary in
            ["purchase", "renewal"].contains(summary.kind) && (product == nil || summary.payload.productId.rawValue == product)
        }
        guard let newest else {
            StandardError.line("Error: \(TerminalText.safe(account)) has no such transaction; `tillroll store transactions` lists them.")
            throw StoreClient.refused
        }
        return newest.payload.transactionId
    }
}
