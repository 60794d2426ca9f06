import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists a store's accounts.
struct StoreAccountsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the accounts of a store.",
        discussion: """
              tillroll store accounts

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> AccountsReply {
        try await store.call(ControlEndpoints.accounts)
    }

    func lines(_ answer: AccountsReply, _ style: TerminalStyle) -> [String] {
        AccountTable(answer.accounts).lines(style)
    }
}
