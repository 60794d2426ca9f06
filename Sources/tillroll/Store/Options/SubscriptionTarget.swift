import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// The options that identify a subscription.
struct SubscriptionTarget: ParsableArguments {
    @Argument(help: "Any transaction of the subscription; not needed when an account names it.")
    var transaction: String?

    @Option(help: "The account whose subscription it is, instead of a transaction.")
    var account: String?

    @Option(help: "The product, where the account has several subscriptions.")
    var product: String?

    func validate() throws {
        guard (transaction == nil) != (account == nil) else {
            throw ValidationError("Name the subscription by one of its transactions, or by --account.")
        }
    }

    /// A transaction of the subscription.
    func find(in store: StoreClient) async throws -> TransactionID {
        if let transaction { return TransactionID(transaction) }
        let account = account ?? ""
        let all = try await store.call(ControlEndpoints.subscriptions, ["account": account]).subscriptions
        let matching = all.filter { !$0.isShared && (product == nil || $0.renewalInfo.productId?.rawValue == product) }
        guard let first = matching.first else {
            StandardError.line("Error: \(TerminalText.safe(account)) has no such subscription; `tillroll store subscriptions` lists them.")
            throw StoreClient.refused
        }
        guard matching.count == 1 else {
            throw ValidationError("\(account) has \(matching.count) subscriptions; choose one with --product or by a transaction.")
        }
        return first.renewalInfo.originalTransactionId
    }
}
