public import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import PurchaseModel
import StoreProtocol
import Wire
import WireClient

/// Lists a store's apps.
struct StoreAppsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the apps of a store.",
        discussion: """
              tillroll store apps
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> AppsReply {
        try await store.call(ControlEndpoints.apps)
    }

    func lines(_ output: AppsReply, _ style: TerminalStyle) -> [String] {
        AppTable(output.apps).lines(style)
    }
}

/// Adds an app to a store, or changes the settings of an app.
struct StoreAppCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Add an app to a store, or change an app's settings.",
        discussion: """
            Settings without an option stay unchanged.

              tillroll store app com.example.other --storekit Other.storekit
              tillroll store app --notify http://127.0.0.1:8000/notifications
            """,
        exitCodes: .store
    )

    @Argument(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @Option(help: ArgumentHelp("A .storekit file with the products.", valueName: "file"), transform: nonEmptyPath) var storekit: String?
    @Option(help: "The app's appAppleId.") var appID: Int64?
    @Option(help: "The app's current version in the store.") var version: String?
    @Option(help: "The password that verifyReceipt requires; empty for none.") var sharedSecret: String?
    @Option(help: ArgumentHelp("The URL for notifications; empty for none.", valueName: "url")) var notify: String?
    @Option(help: ArgumentHelp("The URL for production notifications (default: --notify).", valueName: "url"))
    var notifyProduction: String?
    @Option(help: "The version of App Store Server Notifications: 1 or 2.") var notificationVersion: Int?
    @Option(help: "The order of latest_receipt_info: descending, ascending or shuffled.") var receiptOrder: ReceiptInfoOrder?
    @Option(help: "Return the unfinished transaction of a consumable instead of charging the consumable again: on or off.")
    var restoreUnfinished: StateOption?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> AppDescription {
        var request = AppRequest()
        request.appAppleID = appID
        request.version = version
        request.storekit = try storekit.map { try StorekitFile($0).text() }
        request.sharedSecret = sharedSecret
        request.sandboxURL = notify
        request.productionURL = notifyProduction ?? notify
        request.notificationVersion = notificationVersion
        request.receiptOrder = receiptOrder
        request.restoresUnfinishedConsumables = restoreUnfinished?.isOn
        return try await store.call(ControlEndpoints.setApp, request, ["bundle": try await store.app(bundleID).rawValue])
    }

    func lines(_ output: AppDescription, _ style: TerminalStyle) -> [String] {
        AppTable([output]).lines(style)
    }
}

/// Lists an app's products.
struct StoreProductsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List the products of an app.",
        discussion: """
              tillroll store products
            """,
        exitCodes: .store
    )

    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ProductsReply {
        let bundleID = try await store.app(bundleID)
        return try await store.call(ControlEndpoints.products, ["bundle": bundleID.rawValue])
    }

    func lines(_ output: ProductsReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["product", "kind", "price", "offers"])
        for product in output.products {
            let offers = product.subscription?.offers.map { $0.id ?? "introductory" } ?? []
            let price = "\(product.price.decimal) \(product.price.currency)"
            table.add([product.id.rawValue, product.type.rawValue, price, offers.joined(separator: ", ")])
        }
        return table.isEmpty ? [style.faint("no products")] : table.lines(style, indent: "")
    }
}

/// Uploads the hosted content of a product to a store.
struct StoreContentCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Upload the hosted content of a product.",
        discussion: """
              tillroll store content com.example.book book.zip
            """,
        exitCodes: .store
    )

    @Argument(help: "The product ID.") var product: String
    @Argument(help: "The file to upload, which replaces the product's earlier content.", transform: nonEmptyPath) var file: String
    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        let bundleID = try await store.app(bundleID)
        let source = try FileDescriptor.reading(file)
        defer { source.close() }
        guard let size = source.size else { throw ValidationError("\(file) is not a regular file. Give the path of the content file.") }
        let content = WireContent(
            type: "application/octet-stream", body: .stream(FileParts(file: source), length: .known(Int64(size))))
        let path = Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
        return try await store.send(.PUT, content, to: path.path(["bundle": bundleID.rawValue, "product": product]))
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["Uploaded \(TerminalText.safe(file)) as the content of \(TerminalText.safe(product))."]
    }
}

/// Enables or disables the rate limits of the App Store Server API.
struct StoreRateLimitsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate-limits",
        abstract: "Enable or disable the rate limits of the App Store Server API.",
        discussion: """
            The limits are the same as Apple's. A request beyond a limit is answered with status 429 and Retry-After. The limits are \
            disabled in a new store.

              tillroll store rate-limits on
            """,
        exitCodes: .store
    )

    @Argument(help: "The state of the limits: on or off.") var state: StateOption
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        try await store.call(ControlEndpoints.rateLimits, RateLimitsRequest(isEnabled: state.isOn))
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["Rate limits of the App Store Server API: \(state.rawValue)."]
    }
}

extension StoreConnection {
    /// Returns the bundle ID of the command line, or by default the bundle ID of the store's first app.
    func app(_ named: String?) async throws -> BundleID {
        if let named { return BundleID(named) }
        return try await call(HostEndpoints.currentStore).bundleID
    }
}

extension ReceiptInfoOrder: ExpressibleByArgument {}

struct AppTable {
    private var table = TextTable(["app", "appAppleId", "version", "products", "storefront", "notifications"])

    init(_ apps: [AppDescription]) {
        for app in apps {
            let addresses = Set([app.sandboxURL, app.productionURL].compactMap { $0 }).sorted()
            table.add([
                app.bundleID.rawValue, "\(app.appAppleID)", app.version, "\(app.productCount)", app.storefront,
                addresses.joined(separator: ", "),
            ])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.lines(style, indent: "")
    }
}
