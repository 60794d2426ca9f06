import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Triggers a notification of a type.
struct TriggerCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Let something happen in a store that causes a notification of a kind.",
        discussion: """
            A history is made that could have caused it: a renewal that failed has a purchase before it. The notification goes where \
            the app's notifications go, and to `tillroll listen`.

              tillroll trigger DID_RENEW
              tillroll trigger DID_FAIL_TO_RENEW.GRACE_PERIOD --account jane@example.com
              tillroll trigger REFUND --product com.example.pro.monthly

            A type that does not exist is refused with a list of those that do.

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The type as in notificationType, and after a dot its subtype where it has one.") var type: String
    @Option(help: "To whom; without it to a new account.") var account: String?
    @Option(help: "With which product; without it one that fits.") var product: String?
    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> TriggerReply {
        let parts = type.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let request = TriggerRequest(
            type: parts.first ?? "", subtype: parts.count > 1 ? parts[1] : nil, account: account.map { AccountID($0) },
            product: product.map { ProductID($0) }, bundleID: bundleID.map { BundleID($0) }
        )
        return try await store.call(ControlEndpoints.trigger, request)
    }

    func lines(_ answer: TriggerReply, _ style: TerminalStyle) -> [String] {
        let facts = [answer.account?.rawValue, answer.transaction.map { "transaction \($0)" }].compactMap { $0 }
        return [TerminalText.safe((["notification \(answer.notificationUUID)"] + facts).joined(separator: "  "))]
    }
}
