import ArgumentParser
import Configuration
import Foundation
import PurchaseServer

/// The server's options on the command line; values stay text until the configuration validates them.
struct ServerOptions: ParsableArguments {
    @Option(help: "The app whose purchases are taken in. Required.")
    var bundleID: String?

    @Option(help: "production or sandbox. Required.")
    var environment: String?

    @Option(help: ArgumentHelp("The list of products: [{\"id\": \"…\", \"credits\": 5, \"file\": \"…\"}]. Required.", valueName: "path"))
    var productsFile: String?

    @Option(help: ArgumentHelp("The folder with the products' files. Required.", valueName: "path"))
    var contentFolder: String?

    @Option(help: ArgumentHelp("The SQLite file; made when it is not there. (default: tillroll-server.sqlite)", valueName: "path"))
    var database: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on, 0 for any. (default: 8080)")
    var port: String?

    @Option(help: "The port of the console's pages, which listen on 127.0.0.1 only. (default: no console)")
    var consolePort: String?

    @Option(help: ArgumentHelp("Further root certificates as PEM; refused in production.", valueName: "path"))
    var extraRootsFile: String?

    @Option(help: ArgumentHelp("Where production's verifyReceipt is. (default: Apple's)", valueName: "url"))
    var verifyReceiptProductionURL: String?

    @Option(help: ArgumentHelp("Where the sandbox's verifyReceipt is. (default: Apple's)", valueName: "url"))
    var verifyReceiptSandboxURL: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    @Option(help: ArgumentHelp("A JSON file with the same keys.", valueName: "path"))
    var configurationFile: String?

    /// The configuration: the command line takes precedence over the environment, and the environment over the file.
    ///
    /// - Throws: ``ConfigurationError`` if the file can't be read, or if the file or the environment contains an unknown key.
    func reader() throws -> ConfigReader {
        try ConfigurationKeys.check(ProcessInfo.processInfo.environment)
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "command line", values: given),
            EnvironmentVariablesProvider().prefixKeys(with: "tillroll"),
        ]
        if let configurationFile {
            providers.append(try ConfigurationFile.provider(path: configurationFile))
        }
        return ConfigReader(providers: providers)
    }

    private var given: [AbsoluteConfigKey: ConfigValue] {
        let options: [(AbsoluteConfigKey, String?)] = [
            ("bundle-id", bundleID),
            ("environment", environment),
            ("products-file", productsFile),
            ("content-folder", contentFolder),
            ("database", database),
            ("host", host),
            ("port", port),
            ("console-port", consolePort),
            ("extra-roots-file", extraRootsFile),
            ("verify-receipt.production-url", verifyReceiptProductionURL),
            ("verify-receipt.sandbox-url", verifyReceiptSandboxURL),
            ("log-level", logLevel),
        ]
        return Dictionary(
            uniqueKeysWithValues: options.compactMap { key, text in
                text.map { (key, ConfigValue(.string($0), isSecret: false)) }
            })
    }
}
