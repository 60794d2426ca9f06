import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Simulates a promoted in-app purchase.
struct StorePromoteCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Offer a product to an account of the store's own accord, as on the app's page.",
        discussion: """
              tillroll store promote com.example.pro --account jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The product.") var product: String
    @Option(help: "The account.") var account: String
    @Option(help: "A win-back offer that goes with it.") var offer: String?
    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        let bundleID = bundleID.map { BundleID($0) }
        let request = PromotionRequest(account: AccountID(account), productID: ProductID(product), bundleID: bundleID, offerID: offer)
        return try await store.call(ControlEndpoints.promote, request)
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        ["\(TerminalText.safe(product)) is offered."]
    }
}
