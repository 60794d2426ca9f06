import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Extends a renewal date.
struct StoreExtendCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Put a subscription's renewal off by 1 to 90 days.",
        discussion: """
              tillroll store extend --account jane@example.com --days 14

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Option(help: "By how many days.") var days: Int
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.extend, days: days), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
