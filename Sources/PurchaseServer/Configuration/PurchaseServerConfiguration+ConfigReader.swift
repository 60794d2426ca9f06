public import Configuration
public import Foundation
public import PurchaseModel
import PurchaseProof
import WireServer

extension PurchaseServerConfiguration {
    /// Reads and validates a configuration.
    ///
    /// | key | type | |
    /// |---|---|---|
    /// | `bundle-id` | string | required: the app whose purchases are taken in |
    /// | `environment` | string | required: `production` or `sandbox` |
    /// | `products-file` | string | required: path of the list of products, see ``loadProducts(json:)`` |
    /// | `content-folder` | string | required: path of the folder with the products' files |
    /// | `database` | string | path of the SQLite file, or `:memory:`; `tillroll-server.sqlite` unless told |
    /// | `extra-roots-file` | string | path of further root certificates as PEM; refused in production |
    /// | `revocation` | string | whether it is asked by OCSP if certificates were revoked: `off` (unless told), `soft` or `hard` |
    /// | `shared-secret` | string, secret | the app's shared secret |
    /// | `verify-receipt.production-url` | string | base address, Apple's unless told |
    /// | `verify-receipt.sandbox-url` | string | base address, Apple's unless told |
    /// | `limits.…` | number | how long clients may take and how much they may hold, see `ConnectionLimits` |
    ///
    /// - Throws: ``ConfigurationError``, which names the key and says what to put there.
    public init(reader: ConfigReader) throws {
        let environment = try Self.environment(reader)
        self.init(
            bundleID: BundleID(try Self.required("bundle-id", reader)),
            environment: environment,
            roots: try Self.roots(reader, environment: environment),
            revocation: try Self.revocation(reader),
            verifyReceiptProductionURL: reader.string(forKey: "verify-receipt.production-url", default: Self.appleProductionURL),
            verifyReceiptSandboxURL: reader.string(forKey: "verify-receipt.sandbox-url", default: Self.appleSandboxURL),
            sharedSecret: reader.string(forKey: "shared-secret", isSecret: true),
            products: try Self.loadProducts(json: Self.contents(key: "products-file", path: Self.required("products-file", reader))),
            contentFolder: try Self.required("content-folder", reader),
            database: Self.database(reader),
            limits: try ConnectionLimits(reader: reader)
        )
        try validate()
    }

    /// Reads a list of products: `[{"id": "…", "credits": 5, "file": "book.txt"}]`, where credits and file may be left out.
    ///
    /// - Throws: ``ConfigurationError/productsMalformed(place:)``.
    public static func loadProducts(json: Data) throws(ConfigurationError) -> [ServerProduct] {
        do {
            return try WireJSON.decode([ServerProduct].self, from: json)
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .productsMalformed(place: place(context.codingPath + [key]))
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw .productsMalformed(place: place(context.codingPath))
        } catch {
            throw .productsMalformed(place: "the beginning, because it is no JSON")
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the beginning" : path.map { $0.intValue.map { "product \($0 + 1)" } ?? $0.stringValue }.joined(separator: ", ")
    }

    private static func required(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> String {
        guard let text = reader.string(forKey: ConfigKey(key)), !text.isEmpty else { throw .missing(key: key) }
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
        guard let path = reader.string(forKey: "extra-roots-file") else { return .apple }
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
        let text = reader.string(forKey: "revocation", default: RevocationMode.off.rawValue)
        guard let mode = RevocationMode(rawValue: text.lowercased()) else { throw .revocation(text) }
        return mode
    }

    private static func database(_ reader: ConfigReader) -> ServerDatabaseLocation {
        let path = reader.string(forKey: "database", default: "tillroll-server.sqlite")
        return path == ":memory:" ? .memory : .file(path)
    }

    private static func contents(key: String, path: String) throws(ConfigurationError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(key: key, path: path) }
        return data
    }
}
