import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Clears faults.
struct StoreFaultClearCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Switch one fault off, or all.",
        discussion: """
              tillroll store fault clear
              tillroll store fault clear 3

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The fault's number; without it every fault.") var fault: Int64?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        guard let fault else { return try await store.call(ControlEndpoints.clearFaults) }
        return try await store.call(ControlEndpoints.clearFault, ["fault": "\(fault)"])
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        [fault.map { "Fault \($0) is off." } ?? "Every fault is off."]
    }
}
