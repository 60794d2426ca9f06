import ArgumentParser
import Configuration
import Foundation
import Logging
import PurchaseServer
import PurchaseStorage

/// The command-line options of the server; the configuration converts and validates their text.
struct ServerOptions: ParsableArguments {
    @Option(help: "The app's bundle ID. Required, unless the configuration file lists several apps.")
    var bundleID: String?

    @Option(help: "The environment: production or sandbox. Required.")
    var environment: String?

    @Option(help: ArgumentHelp("The list of products: [{\"id\": \"…\", \"credits\": 5, \"file\": \"…\"}].", valueName: "path"))
    var productsFile: String?

    @Option(
        help: ArgumentHelp(
            "The .storekit file with the products' types and texts. This file or --products-file is required.", valueName: "path"))
    var storekitFile: String?

    @Option(help: ArgumentHelp("The folder with the products' content. Required without a bucket.", valueName: "path"))
    var contentFolder: String?

    @Option(help: "How content is sent: direct (by the server), nginx, or presigned (by the bucket). (default: direct)")
    var contentDelivery: String?

    @Option(help: ArgumentHelp("The location of nginx that serves the content, such as /protected/.", valueName: "path"))
    var contentNginxLocation: String?

    @Option(
        help: ArgumentHelp(
            "The SQLite file, created if it does not exist, or postgresql://… without a password. (default: tillroll-server.sqlite)",
            valueName: "path"))
    var database: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 for a free port. (default: 8080)")
    var port: String?

    @Option(
        help: ArgumentHelp(
            "The trusted reverse proxies that send X-Forwarded-For, such as 127.0.0.1,10.0.0.0/8. (default: none)",
            valueName: "addresses"))
    var trustedProxies: String?

    @Option(help: "The console's port, on 127.0.0.1 only. (default: no console)")
    var consolePort: String?

    @Option(help: "The port of the metrics for Prometheus, on 127.0.0.1 or the address metrics-host. (default: no metrics)")
    var metricsPort: String?

    @Option(help: ArgumentHelp("A PEM file with additional root certificates; refused in production.", valueName: "path"))
    var extraRootsFile: String?

    @Option(help: ArgumentHelp("The URL of verifyReceipt in production. (default: Apple's)", valueName: "url"))
    var verifyReceiptProductionURL: String?

    @Option(help: ArgumentHelp("The URL of verifyReceipt in the sandbox. (default: Apple's)", valueName: "url"))
    var verifyReceiptSandboxURL: String?

    @Option(
        help:
            "Whether POST /verifyReceipt answers are compared with the App Store's, and whose is sent: off, apple or server. (default: off)"
    )
    var verifyReceiptShadow: String?

    @Option(help: "Whether receipts are confirmed with verifyReceipt: off, soft or hard. (default: soft)")
    var confirmReceipts: String?

    @Option(
        help:
            "Whether transactions are confirmed with the App Store Server API: off, soft, or hard (requires a key). (default: off)"
    )
    var confirmTransactions: String?

    @Option(help: "The effect of sandbox purchases in production: entitlements, all (with credits) or none. (default: entitlements)")
    var sandboxPurchases: String?

    @Option(help: "The effect of a refund on spent credits: floor, debt or freeze. (default: debt)")
    var refundPolicy: String?

    @Option(help: "The effect of a proof of another customer's purchase: transfer, keep or share. (default: transfer)")
    var transferPolicy: String?

    @Option(help: "The maximum number of transfers of a purchase in --transfer-period-days; 0 for none. (default: 5)")
    var transferLimit: String?

    @Option(help: "The days for which transfers of a purchase count. (default: 30)")
    var transferPeriodDays: String?

    @Option(help: "The hours between two reconciliations with the App Store; 0 to reconcile on demand only. (default: 6)")
    var reconciliationHours: String?

    @Option(help: "The hours for which an unconfirmed renewal keeps a subscription active; 0 for none. (default: 24)")
    var renewalLeewayHours: String?

    @Option(help: "The consent to share consumption data with Apple: off (none), customers (each customer's choice) or all. (default: off)")
    var consumptionConsent: String?

    @Option(help: "Which transactions the server finishes in place of the app: off or consumables. (default: off)")
    var finishOnServer: String?

    @Option(help: "The log level: trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    @Option(help: "The format of the log, text or json: one JSON object on each line. (default: text)")
    var logFormat: String?

    @Option(help: ArgumentHelp("A JSON file with configuration keys.", valueName: "path"))
    var configurationFile: String?

    /// Returns a reader of the configuration: command line, environment and configuration file, in this order of precedence.
    ///
    /// - Parameter file: A configuration file that takes precedence over all others; nil for none.
    /// - Throws: ``ConfigurationError`` if a file can't be read, or if a file or the environment contains an unknown key.
    func reader(replacedBy file: String? = nil) throws -> ConfigReader {
        guard database.map({ !PostgresDatabase.isURL($0) || !PostgresDatabase.hasPassword($0) }) ?? true else {
            throw ValidationError(
                "Other users of the machine can read a password on the command line. Set TILLROLL_DATABASE, \"database\" in the file, or a "
                    + "password file of PostgreSQL (passfile=… in the URI).")
        }
        try ConfigurationKeys.check(ProcessInfo.processInfo.environment)
        var providers: [any ConfigProvider] = try file.map { [try ServerConfigurationFile.provider(path: $0)] } ?? []
        providers += [
            InMemoryProvider(name: "command line", values: commandLineValues),
            EnvironmentVariablesProvider().prefixKeys(with: "tillroll"),
        ]
        if let configurationFile {
            providers.append(try ServerConfigurationFile.provider(path: configurationFile))
        }
        return ConfigReader(providers: providers)
    }

    /// Opens the server and its database for a command; logs only errors, on standard error.
    func server() async throws -> (PurchaseServer, PurchaseServerConfiguration) {
        let configuration = try PurchaseServerConfiguration(reader: reader())
        var logger = Logger(label: "tillroll-server", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .error
        return (try await PurchaseServer(configuration: configuration, logger: logger), configuration)
    }

    private var commandLineValues: [AbsoluteConfigKey: ConfigValue] {
        let options: [(AbsoluteConfigKey, String?)] = [
            ("bundle-id", bundleID),
            ("environment", environment),
            ("products-file", productsFile),
            ("storekit-file", storekitFile),
            ("content-folder", contentFolder),
            ("content-delivery", contentDelivery),
            ("content-nginx-location", contentNginxLocation),
            ("database", database),
            ("host", host),
            ("port", port),
            ("trusted-proxies", trustedProxies),
            ("console-port", consolePort),
            ("metrics-port", metricsPort),
            ("extra-roots-file", extraRootsFile),
            ("verify-receipt.production-url", verifyReceiptProductionURL),
            ("verify-receipt.sandbox-url", verifyReceiptSandboxURL),
            ("verify-receipt.shadow", verifyReceiptShadow),
            ("confirm-receipts", confirmReceipts),
            ("confirm-transactions", confirmTransactions),
            ("sandbox-purchases", sandboxPurchases),
            ("refund-policy", refundPolicy),
            ("transfer-policy", transferPolicy),
            ("transfer-limit", transferLimit),
            ("transfer-period-days", transferPeriodDays),
            ("reconciliation-hours", reconciliationHours),
            ("renewal-leeway-hours", renewalLeewayHours),
            ("consumption-consent", consumptionConsent),
            ("finish-on-server", finishOnServer),
            ("log-level", logLevel),
            ("log-format", logFormat),
        ]
        return Dictionary(
            uniqueKeysWithValues: options.compactMap { key, text in
                text.map { (key, ConfigValue(.string($0), isSecret: false)) }
            })
    }
}
