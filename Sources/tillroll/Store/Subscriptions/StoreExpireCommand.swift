import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Expires a subscription.
struct StoreExpireCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "End a subscription now.",
        discussion: """
              tillroll store expire --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.expire), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
