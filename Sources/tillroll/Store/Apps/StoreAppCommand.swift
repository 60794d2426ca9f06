import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol

/// Adds an app to a store, or changes an app.
struct StoreAppCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Add an app to a store, or change one.",
        discussion: """
            What is not given stays as it is.

              tillroll store app com.example.other --storekit Other.storekit
              tillroll store app --notify http://127.0.0.1:8000/notifications

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The app's bundle identifier; without it the store's first app.") var bundleID: String?
    @Option(help: ArgumentHelp("What it sells from now on.", valueName: "file"), transform: givenPath) var storekit: String?
    @Option(help: "Its number in the App Store.") var appID: Int64?
    @Option(help: "The version that devices get from now on.") var version: String?
    @Option(help: "What verifyReceipt demands as password; empty for none.") var sharedSecret: String?
    @Option(help: ArgumentHelp("Where notifications go; empty for nowhere.", valueName: "url")) var notify: String?
    @Option(help: ArgumentHelp("Where those of production go, if elsewhere.", valueName: "url")) var notifyProduction: String?
    @Option(help: "1 or 2: the form of its notifications.") var notificationVersion: Int?
    @Option(help: "How latest_receipt_info is sorted: descending, ascending or shuffled.") var receiptOrder: ReceiptInfoOrder?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> AppDescription {
        var request = AppRequest()
        request.appAppleID = appID
        request.version = version
        request.storekit = try storekit.map { try StorekitFile($0).text() }
        request.sharedSecret = sharedSecret
        request.sandboxURL = notify
        request.productionURL = notifyProduction ?? notify
        request.notificationVersion = notificationVersion
        request.receiptOrder = receiptOrder
        return try await store.call(ControlEndpoints.setApp, request, ["bundle": try await store.app(bundleID).rawValue])
    }

    func lines(_ answer: AppDescription, _ style: TerminalStyle) -> [String] {
        AppTable([answer]).lines(style)
    }
}
