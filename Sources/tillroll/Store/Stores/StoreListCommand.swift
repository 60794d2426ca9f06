import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists the stores of a host.
struct StoreListCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the stores of a host.",
        discussion: """
              tillroll store list

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> StoresReply {
        try await store.host.call(HostEndpoints.stores)
    }

    func lines(_ answer: StoresReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["name", "address", "app"])
        for store in answer.stores { table.add([store.name, store.url, store.bundleID.rawValue]) }
        return table.lines(style, indent: "")
    }
}
