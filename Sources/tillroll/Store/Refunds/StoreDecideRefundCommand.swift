import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Decides on a refund request.
struct StoreDecideRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide-refund",
        abstract: "Grant or decline a customer's request for a refund.",
        discussion: """
              tillroll store decide-refund 1 --grant
              tillroll store decide-refund 1 --decline

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The request's number, as refund-requests lists it.") var request: Int64
    @Flag(help: "Whether the money is given back.") var decision: RefundDecision
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        try await store.call(ControlEndpoints.decideRefund, DecisionRequest(approve: decision == .grant), ["request": "\(request)"])
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        ["Request \(request) is \(decision == .grant ? "granted" : "declined")."]
    }
}
