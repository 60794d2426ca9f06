import PurchaseModel
import PurchaseProtocol

/// A table of apps.
struct AppTable {
    private var table = TextTable(["app", "number", "version", "products", "storefront", "notifications"])

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
