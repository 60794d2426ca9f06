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
    /// | `content-folder` | string | required: path of the folder with the products' files |
    /// | `database` | string | path of the SQLite file, or `:memory:`; default `tillroll-server.sqlite` |
    /// | `extra-roots-file` | string | path of a PEM file with additional root certificates; refused in production |
    /// | `revocation` | string | revocation mode, with OCSP: `off` (default), `soft` or `hard` |
    /// | `shared-secret` | string, secret | the app's shared secret |
    /// | `verify-receipt.production-url` | string | base URL of `verifyReceipt` in production; default Apple's |
    /// | `verify-receipt.sandbox-url` | string | base URL of `verifyReceipt` in the sandbox; default Apple's |
    /// | `limits.…` | number | connection limits, see `ConnectionLimits` |
    ///
    /// A value of another type is an error. The caller checks for unknown keys.
    ///
    /// - Throws: ``ConfigurationError`` if a required key is missing, or a value or a file that a key names is invalid.
    public init(reader: ConfigReader) throws {
        let environment = try Self.environment(reader)
        self.init(
            bundleID: BundleID(try Self.required("bundle-id", reader)),
            environment: environment,
            roots: try Self.roots(reader, environment: environment),
            revocation: try Self.revocation(reader),
            verifyReceiptProductionURL: try Self.url("verify-receipt.production-url", reader) ?? Self.appleProductionURL,
            verifyReceiptSandboxURL: try Self.url("verify-receipt.sandbox-url", reader) ?? Self.appleSandboxURL,
            sharedSecret: try Self.text("shared-secret", reader, isSecret: true),
            products: try Self.loadProducts(json: Self.contents(key: "products-file", path: Self.required("products-file", reader))),
            contentFolder: try Self.required("content-folder", reader),
            database: try Self.database(reader),
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

    private static func url(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> HTTPURL? {
        guard let text = try text(key, reader) else { return nil }
        guard let url = HTTPURL(text), !url.hasQuery else { throw .address(key: key) }
        return url
    }

    private static func required(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> String {
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

    private static func revocation(_ reader: ConfigReader) throws(ConfigurationError) -> RevocationMode {
        let text = try text("revocation", reader) ?? RevocationMode.off.rawValue
        guard let mode = RevocationMode(rawValue: text.lowercased()) else { throw .revocation(text) }
        return mode
    }

    private static func database(_ reader: ConfigReader) throws(ConfigurationError) -> DatabaseLocation {
        let path = try text("database", reader) ?? "tillroll-server.sqlite"
        return path == ":memory:" ? .memory : .file(path)
    }

    private static func contents(key: String, path: String) throws(ConfigurationError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(key: key, path: path) }
        return data
    }
}
