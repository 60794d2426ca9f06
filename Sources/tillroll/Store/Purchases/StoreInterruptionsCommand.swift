import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists interrupted payments.
struct StoreInterruptionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "interruptions",
        abstract: "List the payments that were interrupted.",
        discussion: """
              tillroll store interruptions

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ApprovalsReply {
        try await store.call(ControlEndpoints.interruptions)
    }

    func lines(_ answer: ApprovalsReply, _ style: TerminalStyle) -> [String] {
        PaymentTable(answer).lines(style, none: "nothing is interrupted")
    }
}
