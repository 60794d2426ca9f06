import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Enables auto-renew.
struct StoreResumeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Switch a subscription's renewal on again, as its customer does.",
        discussion: """
              tillroll store resume --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.enableAutoRenew), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
