import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists the active faults.
struct StoreFaultListCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the faults that are switched on.",
        discussion: """
              tillroll store fault list

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> FaultsReply {
        try await store.call(ControlEndpoints.faults)
    }

    func lines(_ answer: FaultsReply, _ style: TerminalStyle) -> [String] {
        FaultTable(answer.faults).lines(style)
    }
}
