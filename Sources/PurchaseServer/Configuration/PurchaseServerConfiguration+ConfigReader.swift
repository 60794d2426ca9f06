public import Configuration
import Foundation
import PurchaseModel
import PurchaseProof
import WireServer

extension PurchaseServerConfiguration {
    /// Reads and validates a configuration.
    ///
    /// | key | type | meaning |
    /// |---|---|---|
    /// | `bundle-id` | string | required: the app whose purchases the server accepts |
    /// | `environment` | string | required: `production` or `sandbox` |
    /// | `products-file` | string | required: path of the list of products, see ``loadProducts(json:)`` |
    /// | `content-…` | string | required: the storage of the content and its delivery, see ``ContentConfiguration`` |
    /// | `database` | string | path of the SQLite file, or `:memory:`; default `tillroll-server.sqlite` |
    /// | `extra-roots-file` | string | path of a PEM file with additional root certificates; refused in production |
    /// | `revocation` | string | revocation mode, with OCSP: `off` (default), `soft` or `hard` |
    /// | `confirm-receipts` | string | whether receipts are confirmed with `verifyReceipt`: `off`, `soft` (default) or `hard` |
    /// | `shared-secret` | string, secret | the app's shared secret |
    /// | `verify-receipt.production-url` | string | base URL of `verifyReceipt` in production; default Apple's |
    /// | `verify-receipt.sandbox-url` | string | base URL of `verifyReceipt` in the sandbox; default Apple's |
    /// | `app-store-server-api.issuer-id` | string | issuer identifier of App Store Connect |
    /// | `app-store-server-api.key-id` | string | identifier of the In-App Purchase key |
    /// | `app-store-server-api.private-key-file` | string | path of the key's `.p8` file |
    /// | `app-store-server-api.url` | string | base URL of the App Store Server API; default Apple's |
    /// | `reconciliation-hours` | number | hours between two reconciliations with the App Store; default 6, 0 for on demand only |
    /// | `consumption-consent` | string | whether customers consented to consumption information: `off` (default) or `all` |
    /// | `consumption-refund-preference` | string | `none` (default), `decline`, `grant-full` or `grant-prorated` |
    /// | `consumption-sample` | string | whether a free sample is available before purchases: `no` (default) or `yes` |
    /// | `finish-on-server` | string | which transactions the server finishes: `off` (default) or `consumables` |
    /// | `refund-policy` | string | what a refund of spent credits does: `floor`, `debt` (default) or `freeze` |
    /// | `transfer-policy` | string | what a proof of another customer's purchase does: `transfer` (default), `keep` or `share` |
    /// | `secret-key-file` | string | path of the key that encrypts secrets in the database; default: the database's path with `.key` |
    /// | `lease-hours` | number | lifetime of a lease for offline use, from 1 to 8760 hours; default 72 |
    /// | `limits.…` | number | connection limits, see `ConnectionLimits` |
    ///
    /// A value of another type is an error. The caller checks for unknown keys.
    ///
    /// - Throws: ``ConfigurationError`` if a required key is missing, or a value or a file that a key names is invalid.
    public init(reader: ConfigReader) throws {
        let environment = try Self.environment(reader)
        self.init(
            apps: [try AppConfiguration(reader: reader)],
            environment: environment,
            roots: try Self.roots(reader, environment: environment),
            revocation: try Self.choice("revocation", reader) ?? .off,
            database: try Self.database(reader),
            secretKeyFile: try Self.text("secret-key-file", reader),
            leaseSeconds: Int64(try Self.hours("lease-hours", in: 1...8_760, reader) ?? 72) * 3_600,
            limits: try ConnectionLimits(reader: reader)
        )
        try validate()
    }

    /// Reads a text; nil for a missing key.
    ///
    /// A value of another type is an error. `ConfigReader` returns nil for it, as for a missing key.
    package static func text(_ key: String, _ reader: ConfigReader, isSecret: Bool = false) throws(ConfigurationError) -> String? {
        let configKey = ConfigKey(key)
        if let text = reader.string(forKey: configKey, isSecret: isSecret) { return text }
        if ConfigurationKeys.numbers.contains(key), let number = reader.int(forKey: configKey) { return String(number) }
        guard reader.int(forKey: configKey, isSecret: isSecret) == nil, reader.double(forKey: configKey, isSecret: isSecret) == nil,
            reader.bool(forKey: configKey, isSecret: isSecret) == nil, reader.stringArray(forKey: configKey, isSecret: isSecret) == nil
        else { throw .wrongType(key: key) }
        return nil
    }

    static func url(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> HTTPURL? {
        guard let text = try text(key, reader) else { return nil }
        guard let url = HTTPURL(text), !url.hasQuery else { throw .address(key: key) }
        return url
    }

    static func required(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> String {
        guard let text = try text(key, reader), !text.isEmpty else { throw .missing(key: key) }
        return text
    }

    private static func environment(_ reader: ConfigReader) throws(ConfigurationError) -> AppEnvironment {
        let text = try required("environment", reader)
        switch text.lowercased() {
        case "production": return .production
        case "sandbox": return .sandbox
        default: throw .environment(text)
        }
    }

    private static func roots(_ reader: ConfigReader, environment: AppEnvironment) throws(ConfigurationError) -> TrustedRoots {
        guard let path = try text("extra-roots-file", reader) else { return .apple }
        guard environment != .production else { throw .rootsInProduction }
        let pem = String(decoding: try contents(key: "extra-roots-file", path: path), as: UTF8.self)
        do {
            return try TrustedRoots.apple(and: pem, in: [environment])
        } catch {
            switch error {
            case .productionTrustsAppleOnly: throw .rootsInProduction
            case .notARoot(let reason): throw .notRoots(reason: reason)
            }
        }
    }

    /// Reads one of a few permitted texts, in upper or lower case; nil for a missing key.
    static func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String, _ reader: ConfigReader
    ) throws(ConfigurationError) -> Value? where Value.RawValue == String {
        guard let text = try text(key, reader) else { return nil }
        guard let value = Value(rawValue: text.lowercased()) else {
            throw .choice(key: key, permitted: Value.allCases.map(\.rawValue))
        }
        return value
    }

    /// Reads a number of hours in a range; nil for a missing key.
    fileprivate static func hours(
        _ key: String, in range: ClosedRange<Int>, _ reader: ConfigReader
    ) throws(ConfigurationError) -> Int? {
        guard let text = try text(key, reader) else { return nil }
        guard let hours = Int(text), range.contains(hours) else { throw .hours(key: key, range: range) }
        return hours
    }

    private static func database(_ reader: ConfigReader) throws(ConfigurationError) -> DatabaseLocation {
        let path = try text("database", reader) ?? "tillroll-server.sqlite"
        return path == ":memory:" ? .memory : .file(path)
    }

    static func contents(key: String, path: String) throws(ConfigurationError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(key: key, path: path) }
        return data
    }
}

extension AppConfiguration {
    /// Reads the keys of one app without validating their values together.
    fileprivate init(reader: ConfigReader) throws {
        typealias Server = PurchaseServerConfiguration
        self.init(
            bundleID: BundleID(try Server.required("bundle-id", reader)),
            products: try Server.products(file: Server.required("products-file", reader)),
            productsFile: try Server.required("products-file", reader),
            content: try ContentConfiguration(reader: reader),
            verifyReceiptProductionURL: try Server.url("verify-receipt.production-url", reader) ?? Self.appleProductionURL,
            verifyReceiptSandboxURL: try Server.url("verify-receipt.sandbox-url", reader) ?? Self.appleSandboxURL,
            sharedSecret: try Server.text("shared-secret", reader, isSecret: true),
            receiptConfirmation: try Server.choice("confirm-receipts", reader) ?? .soft,
            appStoreServerAPI: try Self.appStoreServerAPI(reader),
            refundPolicy: try Server.choice("refund-policy", reader) ?? .debt,
            transfers: TransferRules(policy: try Server.choice("transfer-policy", reader) ?? .transfer),
            reconciliationHours: try Server.hours("reconciliation-hours", in: 0...720, reader) ?? 6,
            consumption: ConsumptionPolicy(
                consent: try Server.choice("consumption-consent", reader) ?? .off,
                preference: try Server.choice("consumption-refund-preference", reader) ?? .none,
                sample: try Server.choice("consumption-sample", reader) ?? .no),
            finishing: try Server.choice("finish-on-server", reader) ?? .off
        )
    }

    /// Reads the key of the App Store Server API; nil if no part of it is configured.
    private static func appStoreServerAPI(_ reader: ConfigReader) throws(ConfigurationError) -> AppStoreServerAPIKey? {
        typealias Server = PurchaseServerConfiguration
        let keys = ["issuer-id", "key-id", "private-key-file"].map { "app-store-server-api.\($0)" }
        var values: [String] = []
        for key in keys { if let value = try Server.text(key, reader), !value.isEmpty { values.append(value) } }
        guard !values.isEmpty else { return nil }
        let path = try Server.required(keys[2], reader)
        return AppStoreServerAPIKey(
            issuerID: try Server.required(keys[0], reader), keyID: try Server.required(keys[1], reader),
            privateKey: String(decoding: try Server.contents(key: keys[2], path: path), as: UTF8.self),
            baseURL: try Server.url("app-store-server-api.url", reader))
    }
}
