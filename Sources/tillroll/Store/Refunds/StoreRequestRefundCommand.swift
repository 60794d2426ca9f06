import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Requests a refund for a customer.
struct StoreRequestRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask-refund",
        abstract: "Let a customer ask for a refund; the developer's server is asked what it thinks.",
        discussion: """
              tillroll store ask-refund --account jane --reason UNINTENDED_PURCHASE

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @Option(help: "Why.") var reason: ConsumptionRequestReason?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> RefundRequestDescription {
        let transaction = try await target.find(in: store)
        return try await store.call(ControlEndpoints.requestRefund, RefundRequest(transaction: transaction, reason: reason))
    }

    func lines(_ answer: RefundRequestDescription, _ style: TerminalStyle) -> [String] {
        RefundRequestTable([answer]).lines(style)
    }
}
