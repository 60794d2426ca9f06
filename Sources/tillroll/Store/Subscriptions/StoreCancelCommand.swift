import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Disables auto-renew.
struct StoreCancelCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Switch a subscription's renewal off, as its customer does; it runs to its end.",
        discussion: """
              tillroll store cancel --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.disableAutoRenew), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
