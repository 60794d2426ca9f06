import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Raises the price of a subscription.
struct StoreRaisePriceCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "raise-price",
        abstract: "Raise a subscription's price from its next renewal on.",
        discussion: """
            The customer is asked, and the subscription ends with its period unless `agree` follows; with --announced the customer is \
            only told.

              tillroll store raise-price --account jane@example.com --price 5.99

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @Option(help: "The new price of a period, such as 5.99.") var price: PriceOption
    @Flag(help: "The customer need not agree.") var announced = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(announced ? .announcePrice : .raisePrice, price: price.milliunits), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
