import ArgumentParser
import PurchaseModel

/// Approves a child's payment in Ask to Buy.
struct StoreApproveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a payment that waits for a parent.",
        discussion: """
              tillroll store approve
              tillroll store approve 6ba7b810-9dad-11d1-80b4-00c04fd430c8

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The payment; not needed while only one waits.") var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> DecisionAnswer {
        try await store.decide(payment, approve: true)
    }

    func lines(_ answer: DecisionAnswer, _ style: TerminalStyle) -> [String] {
        ["\(TerminalText.safe(answer.payment.rawValue)) is approved."]
    }
}
