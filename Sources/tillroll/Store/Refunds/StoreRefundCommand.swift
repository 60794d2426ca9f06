import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Refunds a transaction.
struct StoreRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Give the money of a transaction back.",
        discussion: """
              tillroll store refund 2000000000000001
              tillroll store refund --account jane@example.com --percentage 40

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @Option(help: "How much of the price, from 1 to 100; without it all.") var percentage: Int?
    @Flag(help: "It is the app's fault.") var appFault = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> TransactionAnswer {
        if let percentage, !(1...100).contains(percentage) { throw ValidationError("--percentage goes from 1 to 100.") }
        let transaction = try await target.find(in: store)
        let request = IssueRefund(transaction: transaction, reason: appFault ? 1 : nil, percentage: percentage.map { $0 * 1_000 })
        let _: Empty = try await store.call(ControlEndpoints.refund, request)
        return TransactionAnswer(transaction: transaction)
    }

    func lines(_ answer: TransactionAnswer, _ style: TerminalStyle) -> [String] {
        ["The money of \(TerminalText.safe(answer.transaction.rawValue)) is given back."]
    }
}
