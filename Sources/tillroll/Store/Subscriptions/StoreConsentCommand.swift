import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Consents to a price increase.
struct StoreConsentCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "agree",
        abstract: "Agree to a higher price, as the customer does.",
        discussion: """
              tillroll store agree --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.agree), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
