public import Configuration
import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import WireServer

extension PurchaseServerConfiguration {
    /// Reads a configuration, and validates its values.
    ///
    /// | key | type | meaning |
    /// |---|---|---|
    /// | `bundle-id` | string | required: the app whose purchases the server accepts |
    /// | `environment` | string | required: `production` or `sandbox` |
    /// | `products-file` | string | path of the list of products, see ``loadProducts(json:)``; required without `storekit-file` |
    /// | `storekit-file` | string | path of the `.storekit` file with the products' types and texts |
    /// | `content-…` | string | required: the storage of the content and its delivery, see ``ContentConfiguration`` |
    /// | `database` | string | path of the SQLite file, `:memory:`, or `postgresql://…`; default `tillroll-server.sqlite` |
    /// | `database-connections` | number | connections to PostgreSQL, from 1 to 1000; default 16 |
    /// | `database-replica` | string, secret | connection URI of PostgreSQL's replicas, which answer reads; default: none |
    /// | `extra-roots-file` | string | path of a PEM file with additional root certificates; refused in production |
    /// | `revocation` | string | revocation mode, with OCSP: `off` (default), `soft` or `hard` |
    /// | `confirm-receipts` | string | whether receipts are confirmed with `verifyReceipt`: `off`, `soft` (default) or `hard` |
    /// | `shared-secret` | string, secret | the app's shared secret |
    /// | `verify-receipt.production-url` | string | URL of `verifyReceipt` in production; default Apple's |
    /// | `verify-receipt.sandbox-url` | string | URL of `verifyReceipt` in the sandbox; default Apple's |
    /// | `verify-receipt.shadow` | string | comparison with the App Store's response; sent response: `off` (default), `apple` or `server` |
    /// | `verify-receipt.shadow-seconds` | number | longest wait for the App Store's answer, from 1 to 60 seconds; default 10 |
    /// | `app-store-server-api.issuer-id` | string | issuer identifier of App Store Connect |
    /// | `app-store-server-api.key-id` | string | identifier of the In-App Purchase key |
    /// | `app-store-server-api.private-key-file` | string | path of the key's `.p8` file |
    /// | `app-store-server-api.url` | string | base URL of the App Store Server API; default Apple's |
    /// | `app-store-server-api.accept-missing-bundle-id` | string | whether transactions may lack `bundleId`: `no` (default) or `yes` |
    /// | `offers.key-id` | string | identifier of the key that signs offers; default: the key of the App Store Server API |
    /// | `offers.private-key-file` | string | path of the `.p8` file of the key that signs offers |
    /// | `reconciliation-hours` | number | hours between two reconciliations with the App Store; default 6, 0 for on demand only |
    /// | `renewal-leeway-hours` | number | longest leeway for a renewal that the server could not confirm; default 24, 0 for none |
    /// | `confirm-transactions` | string | whether the App Store Server API confirms transactions: `off` (default), `soft` or `hard` |
    /// | `sandbox-purchases` | string | effect of sandbox purchases in production: `entitlements` (default), `all` or `none` |
    /// | `consumption-consent` | string | whether customers consented to consumption information: `off` (default), `customers` or `all` |
    /// | `consumption-refund-preference` | string | `none` (default), `decline`, `grant-full` or `grant-prorated` |
    /// | `consumption-sample` | string | whether a free sample is available before purchases: `no` (default) or `yes` |
    /// | `entitlements` | string | entitlements that a backend can grant in addition to those of the products, separated by commas |
    /// | `currencies` | string | currencies in which a backend can grant credits in addition to those of the products |
    /// | `finish-on-server` | string | which transactions the server finishes: `off` (default) or `consumables` |
    /// | `refund-policy` | string | effect of a refund of spent credits: `floor`, `debt` (default) or `freeze` |
    /// | `transfer-policy` | string | effect of a proof of another customer's purchase: `transfer` (default), `keep` or `share` |
    /// | `transfer-limit` | number | transfers of a purchase in the period, or customers who share the purchase; default 5, 0 for none |
    /// | `transfer-period-days` | number | days for which transfers count, from 1 to 3650; default 30 |
    /// | `teams.surplus` | string | members who lose their seats in a team with too few: `newest-first` (default) or `owner-chooses` |
    /// | `teams.surplus-days` | number | days in which the owner can choose, from 1 to 365; default 14 |
    /// | `secret-key-file` | string | path of the key that encrypts secrets in the database; default: the SQLite file's path with `.key` |
    /// | `lease-hours` | number | lifetime of a lease for offline use, from 1 to 8760 hours; default 72 |
    /// | `event-retention-days` | number | age after which an event leaves the feed, from 1 to 3650 days; default 90 |
    /// | `webhook-addresses` | choice | `public` for HTTPS to public addresses (default), or `any` for HTTP and any address, for development |
    /// | `request-rates.installation-per-second`, `request-rates.installation-burst` | number | requests of an installation; default 5, 60 |
    /// | `request-rates.backend-per-second`, `request-rates.backend-burst` | number | requests of a secret key; default 2,000, 4,000 |
    /// | `trusted-proxies` | string | addresses and ranges of reverse proxies, whose `X-Forwarded-For` is trusted; default none |
    /// | `metrics-token` | string, secret | token for `GET /metrics` on the server's address, at least 16 characters; default: none |
    /// | `limits.…` | number | connection limits, see `ConnectionLimits` |
    ///
    /// A value of the wrong type is an error. The caller checks for unknown keys.
    ///
    /// A configuration file configures several apps with the key `apps`, a list of objects with the keys of an app: all keys above except
    /// `environment`, `database`, `database-…`, `extra-roots-file`, `revocation`, `secret-key-file`, `lease-hours`, `event-retention-days`, `webhook-addresses`, `request-rates.…`,
    /// `trusted-proxies` and `limits.…`. A key outside of `apps` is the default of all apps. In other providers, the keys of the first app
    /// begin
    /// with `apps.0.`, and the value of `apps` is the number of apps.
    ///
    /// - Throws: ``ConfigurationError`` if a required key is missing, or a value or a file that a key names is invalid.
    public init(reader: ConfigReader) throws {
        let server = ConfigurationScope(reader)
        let environment = try Self.environment(server)
        var apps: [AppConfiguration] = []
        for scope in try server.apps() { apps.append(try AppConfiguration(scope)) }
        self.init(
            apps: apps,
            environment: environment,
            roots: try Self.roots(server, environment: environment),
            revocation: try server.choice("revocation") ?? .off,
            database: try Self.database(server),
            secretKeyFile: try server.text("secret-key-file"),
            leaseSeconds: Int64(try server.integer("lease-hours", in: 1...8_760) ?? 72) * 3_600,
            limits: try ConnectionLimits(reader: reader),
            requestRates: try RequestRates(server)
        )
        metricsToken = try server.text("metrics-token", isSecret: true)
        if let days = try server.integer("event-retention-days", in: 1...3_650) { eventRetentionDays = days }
        if let addresses: WebhookAddresses = try server.choice("webhook-addresses") { webhookAddresses = addresses }
        if let list = try server.text("trusted-proxies"), !list.isEmpty { trustedProxies = try TrustedProxies(list) }
        try validate()
    }

    private static func database(_ server: ConfigurationScope) throws(ConfigurationError) -> PurchaseDatabase {
        let connections = try server.integer("database-connections", in: 1...1_000)
        let replica = try server.text("database-replica", isSecret: true)
        guard replica.map(PostgresDatabase.isURL) ?? true else { throw .replica }
        let text = try server.text("database", isSecret: true) ?? "tillroll-server.sqlite"
        guard PostgresDatabase.isURL(text) else {
            guard replica == nil else { throw .replica }
            return text == ":memory:" ? .memory : .file(text)
        }
        return .postgres(PostgresDatabase(url: text, connections: connections ?? 16, replicaURL: replica))
    }

    private static func environment(_ server: ConfigurationScope) throws(ConfigurationError) -> AppEnvironment {
        let text = try server.required("environment")
        switch text.lowercased() {
        case "production": return .production
        case "sandbox": return .sandbox
        default: throw .environment(text)
        }
    }

    private static func roots(_ server: ConfigurationScope, environment: AppEnvironment) throws(ConfigurationError) -> TrustedRoots {
        guard try server.text("extra-roots-file") != nil else { return .apple }
        guard environment != .production else { throw .rootsInProduction }
        guard let file = try server.file("extra-roots-file") else { return .apple }
        do {
            return try TrustedRoots.apple(and: String(decoding: file.contents, as: UTF8.self), in: [environment])
        } catch {
            switch error {
            case .productionTrustsAppleOnly: throw .rootsInProduction
            case .notARoot(let reason): throw .notRoots(reason: reason)
            }
        }
    }
}

extension RequestRates {
    /// Reads the rates of the configuration; without a key, the default applies.
    fileprivate init(_ server: ConfigurationScope) throws(ConfigurationError) {
        self.init()
        let limit = 0...1_000_000
        if let rate = try server.integer("request-rates.installation-per-second", in: limit) { installation.perSecond = Double(rate) }
        if let burst = try server.integer("request-rates.installation-burst", in: limit) { installation.burst = Double(burst) }
        if let rate = try server.integer("request-rates.backend-per-second", in: limit) { backend.perSecond = Double(rate) }
        if let burst = try server.integer("request-rates.backend-burst", in: limit) { backend.burst = Double(burst) }
    }
}

extension AppConfiguration {
    /// Reads the keys of one app; ``PurchaseServerConfiguration/validate()`` checks the combination of values.
    fileprivate init(_ app: ConfigurationScope) throws(ConfigurationError) {
        let api = try Self.appStoreServerAPI(app)
        self.init(
            bundleID: try app.bundleID(),
            products: [],
            productsFile: try app.text("products-file"),
            storekitFile: try app.text("storekit-file"),
            content: try ContentConfiguration(app),
            verifyReceiptProductionURL: try app.url("verify-receipt.production-url") ?? Self.appleProductionURL,
            verifyReceiptSandboxURL: try app.url("verify-receipt.sandbox-url") ?? Self.appleSandboxURL,
            sharedSecret: try app.text("shared-secret", isSecret: true),
            receiptConfirmation: try app.choice("confirm-receipts") ?? .soft,
            appStoreServerAPI: api,
            offerKey: try Self.offerKey(app) ?? api,
            refundPolicy: try app.choice("refund-policy") ?? .debt,
            transfers: TransferRules(
                policy: try app.choice("transfer-policy") ?? .transfer, limit: try app.integer("transfer-limit", in: 0...1_000) ?? 5,
                periodDays: Int64(try app.integer("transfer-period-days", in: 1...3_650) ?? 30)),
            reconciliationHours: try app.integer("reconciliation-hours", in: 0...720) ?? 6,
            consumption: ConsumptionPolicy(
                consent: try app.choice("consumption-consent") ?? .off,
                preference: try app.choice("consumption-refund-preference") ?? .none,
                sample: try app.choice("consumption-sample") ?? .no),
            finishing: try app.choice("finish-on-server") ?? .off
        )
        entitlements = try app.names("entitlements")
        currencies = try app.names("currencies")
        renewalLeewayHours = try app.integer("renewal-leeway-hours", in: 0...720) ?? renewalLeewayHours
        transactionConfirmation = try app.choice("confirm-transactions") ?? transactionConfirmation
        sandboxPurchases = try app.choice("sandbox-purchases") ?? sandboxPurchases
        teams = TeamPolicy(
            surplus: try app.choice("teams.surplus") ?? teams.surplus,
            surplusDays: Int64(try app.integer("teams.surplus-days", in: 1...365) ?? 14))
        verifyReceiptShadow = try app.choice("verify-receipt.shadow") ?? verifyReceiptShadow
        verifyReceiptShadowSeconds = try app.integer("verify-receipt.shadow-seconds", in: 1...60) ?? verifyReceiptShadowSeconds
        guard productsFile != nil || storekitFile != nil else { throw .missing(key: app.own("products-file")) }
        products = try ProductFiles(self).products()
    }

    /// Reads the key of the App Store Server API; nil if none of issuer, identifier and file is configured.
    private static func appStoreServerAPI(_ app: ConfigurationScope) throws(ConfigurationError) -> AppStoreServerAPIKey? {
        let keys = ["issuer-id", "key-id", "private-key-file"].map { "app-store-server-api.\($0)" }
        guard try isAnySet(keys, app) else { return nil }
        let issuerID = try app.required(keys[0])
        var key = try key(
            issuerID: issuerID, id: keys[1], file: keys[2], baseURL: try app.url("app-store-server-api.url"), in: app)
        let acceptsMissing: MissingMember? = try app.choice("app-store-server-api.accept-missing-bundle-id")
        key.acceptsMissingBundleID = acceptsMissing == .yes
        return key
    }

    /// Whether a member may be missing in the App Store's data.
    private enum MissingMember: String, CaseIterable {
        case no, yes
    }

    /// Reads the key that signs offers; nil if neither identifier nor file is configured.
    private static func offerKey(_ app: ConfigurationScope) throws(ConfigurationError) -> AppStoreServerAPIKey? {
        let keys = ["key-id", "private-key-file"].map { "offers.\($0)" }
        guard try isAnySet(keys, app) else { return nil }
        return try key(
            issuerID: try app.text("app-store-server-api.issuer-id") ?? "", id: keys[0], file: keys[1], baseURL: nil, in: app)
    }

    private static func isAnySet(_ keys: [String], _ app: ConfigurationScope) throws(ConfigurationError) -> Bool {
        for key in keys where try app.text(key)?.isEmpty == false { return true }
        return false
    }

    private static func key(
        issuerID: String, id: String, file: String, baseURL: HTTPURL?, in app: ConfigurationScope
    ) throws(ConfigurationError) -> AppStoreServerAPIKey {
        _ = try app.required(file)
        let pem = try app.file(file).map { String(decoding: $0.contents, as: UTF8.self) } ?? ""
        return AppStoreServerAPIKey(issuerID: issuerID, keyID: try app.required(id), privateKey: pem, baseURL: baseURL)
    }
}
