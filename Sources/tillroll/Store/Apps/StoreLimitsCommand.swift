import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Limits how often apps may call the App Store Server API.
struct StoreLimitsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Limit how often apps may call the App Store Server API, as the App Store does.",
        discussion: """
            Who calls more often gets 429 with Retry-After. A store begins without limits.

              tillroll store limits on

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "on or off.") var state: StateOption
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        try await store.call(ControlEndpoints.rateLimits, RateLimitsRequest(isOn: state.isOn))
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        ["The limits of the App Store Server API are \(state.rawValue)."]
    }
}
