import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Creates an account, or changes an account.
struct StoreAccountCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Open an account, or change one.",
        discussion: """
            What is not given stays as it is; the password of a new account is "secret" unless told otherwise.

              tillroll store account jane@example.com --ask-to-buy on
              tillroll store account jane@example.com --card off
              tillroll store account tom@example.com --family the-does

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The account.") var account: String
    @Option(help: "Its password.") var password: String?
    @Option(help: "Whether a parent must approve its purchases: on or off.") var askToBuy: StateOption?
    @Option(help: "Whether its card can be charged: on or off.") var card: StateOption?
    @Option(help: "Whether its purchases are interrupted until `resolve`: on or off.") var interrupt: StateOption?
    @Option(help: "Whether its family may use what it buys: on or off.") var share: StateOption?
    @Option(help: "The environment of its purchases to come: sandbox or production.") var environment: EnvironmentOption?
    @Option(help: "The country it buys in, such as USA; empty for that of the catalog.") var storefront: String?
    @Option(help: "What the members of its family have in common; empty to leave.") var family: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> AccountDescription {
        let name = AccountID(account)
        if !(try await store.call(ControlEndpoints.accounts).accounts.contains { $0.account == name }) {
            let request = OpenAccountRequest(account: name, password: password ?? "secret")
            let _: Empty = try await store.call(ControlEndpoints.openAccount, request)
        }
        var request = AccountRequest()
        request.password = password
        request.asksToBuy = askToBuy?.isOn
        request.cardWorks = card?.isOn
        request.interruptsPurchases = interrupt?.isOn
        request.sharesPurchases = share?.isOn
        request.environment = environment?.environment
        request.storefront = storefront
        request.family = family
        return try await store.call(ControlEndpoints.setAccount, request, ["account": account])
    }

    func lines(_ answer: AccountDescription, _ style: TerminalStyle) -> [String] {
        AccountTable([answer]).lines(style)
    }
}
