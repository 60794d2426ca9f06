import ArgumentParser
import PurchaseModel
import PurchaseServer

/// The command-line option that selects one app of a server with several apps.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The bundle ID of the app. Required if the server has several apps.", valueName: "bundle-id"))
    var app: String?

    /// Returns the identifier of the selected app, or of the only app.
    ///
    /// - Throws: `ValidationError` if the option names an unknown app, or is missing although the server has several apps.
    func selected(from configuration: PurchaseServerConfiguration) throws -> BundleID {
        let apps = configuration.apps.map(\.bundleID)
        let list = apps.map(\.rawValue).joined(separator: ", ")
        if let app {
            guard apps.contains(BundleID(app)) else { throw ValidationError("The server has no app \(app). The apps are: \(list).") }
            return BundleID(app)
        }
        guard let first = apps.first, apps.count == 1 else {
            throw ValidationError("The server has several apps. Select one with --app: \(list).")
        }
        return first
    }
}
