import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Reverses a refund.
struct StoreReverseRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse-refund",
        abstract: "Take a refund back.",
        discussion: """
              tillroll store reverse-refund --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> TransactionAnswer {
        let transaction = try await target.find(in: store)
        let _: Empty = try await store.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transaction: transaction))
        return TransactionAnswer(transaction: transaction)
    }

    func lines(_ answer: TransactionAnswer, _ style: TerminalStyle) -> [String] {
        ["The refund of \(TerminalText.safe(answer.transaction.rawValue)) is taken back."]
    }
}
