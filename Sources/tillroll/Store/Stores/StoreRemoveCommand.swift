import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Removes a store from a host.
struct StoreRemoveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a store of a host, and its file.",
        discussion: """
              tillroll store remove checkout-test

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The store's name.") var name: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        try await store.host.call(HostEndpoints.removeStore, ["store": name])
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        ["\(TerminalText.safe(name)) is removed."]
    }
}
