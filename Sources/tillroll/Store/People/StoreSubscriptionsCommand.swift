import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists an account's subscriptions.
struct StoreSubscriptionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "List the subscriptions of an account.",
        discussion: """
              tillroll store subscriptions jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionsReply {
        try await store.call(ControlEndpoints.subscriptions, ["account": target.account.rawValue])
    }

    func lines(_ answer: SubscriptionsReply, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer.subscriptions).lines(style)
    }
}
