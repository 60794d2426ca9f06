import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Declines a price increase.
struct StoreDeclinePriceCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "disagree",
        abstract: "Refuse a higher price, as the customer does.",
        discussion: """
              tillroll store disagree --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.disagree), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
