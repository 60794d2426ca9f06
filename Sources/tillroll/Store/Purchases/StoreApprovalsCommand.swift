import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists payments that are pending in Ask to Buy.
struct StoreApprovalsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals",
        abstract: "List the payments that wait for a parent.",
        discussion: """
              tillroll store approvals

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ApprovalsReply {
        try await store.call(ControlEndpoints.approvals)
    }

    func lines(_ answer: ApprovalsReply, _ style: TerminalStyle) -> [String] {
        PaymentTable(answer).lines(style, none: "nothing waits for a parent")
    }
}
