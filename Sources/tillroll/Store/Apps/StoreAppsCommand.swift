import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists a store's apps.
struct StoreAppsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the apps that a store sells for.",
        discussion: """
              tillroll store apps

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> AppsReply {
        try await store.call(ControlEndpoints.apps)
    }

    func lines(_ answer: AppsReply, _ style: TerminalStyle) -> [String] {
        AppTable(answer.apps).lines(style)
    }
}
