import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Renews a subscription before its renewal date.
struct StoreRenewCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "End a subscription's period now and start the next one.",
        discussion: """
              tillroll store renew --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Subscription") var target: SubscriptionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> SubscriptionDescription {
        try await store.act(SubscriptionRequest(.renew), on: target)
    }

    func lines(_ answer: SubscriptionDescription, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(answer).lines(style)
    }
}
