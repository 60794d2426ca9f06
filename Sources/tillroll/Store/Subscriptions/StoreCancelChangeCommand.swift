import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Cancels a pending change to another product, such as a downgrade.
struct StoreCancelChangeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take back a change to another product that waits for the renewal.",
        discussion: """
              tillroll store withdraw --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.withdrawChange), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
