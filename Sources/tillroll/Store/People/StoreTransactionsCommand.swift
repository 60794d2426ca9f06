import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists an account's transactions.
struct StoreTransactionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "List the transactions of an account.",
        discussion: """
              tillroll store transactions jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> TransactionsReply {
        try await store.call(ControlEndpoints.transactions, ["account": target.account.rawValue])
    }

    func lines(_ answer: TransactionsReply, _ style: TerminalStyle) -> [String] {
        TransactionTable(answer.summaries).lines(style)
    }
}
