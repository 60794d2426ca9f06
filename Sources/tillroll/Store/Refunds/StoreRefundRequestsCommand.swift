import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists refund requests.
struct StoreRefundRequestsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund-requests",
        abstract: "List what customers asked to get back.",
        discussion: """
              tillroll store refund-requests

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> RefundRequestsReply {
        try await store.call(ControlEndpoints.refundRequests)
    }

    func lines(_ answer: RefundRequestsReply, _ style: TerminalStyle) -> [String] {
        RefundRequestTable(answer.requests).lines(style)
    }
}
