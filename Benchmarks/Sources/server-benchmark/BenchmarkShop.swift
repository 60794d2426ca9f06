import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage

/// The app whose server is measured.
enum BenchmarkShop {
    static let bundleID: BundleID = "com.example.benchmark"
    /// A subscription, which gives the entitlement ``entitlement``.
    static let monthly: ProductID = "com.example.benchmark.monthly"
    /// A consumable without credits.
    static let hint: ProductID = "com.example.benchmark.hint"
    /// A consumable with credits.
    static let coins: ProductID = "com.example.benchmark.coins"
    /// A product with a large file.
    static let film: ProductID = "com.example.benchmark.film"
    static let entitlement: EntitlementName = "premium"

    /// Returns the configuration of the server whose data is in a folder.
    ///
    /// Callers are counted as in production, and never exceed their rate.
    static func configuration(_ folder: BenchmarkFolder) throws -> PurchaseServerConfiguration {
        let unlimited = RequestRate(perSecond: 1e9, burst: 1e9)
        return PurchaseServerConfiguration(
            apps: [
                AppConfiguration(
                    bundleID: bundleID,
                    products: [
                        ServerProduct(id: monthly, entitlements: [entitlement]), ServerProduct(id: hint, entitlements: []),
                        ServerProduct(id: coins, credits: 100, currency: "coins", entitlements: []),
                        ServerProduct(id: film, file: BenchmarkFolder.film),
                    ],
                    content: .folder(folder.content.path), receiptConfirmation: .off)
            ],
            environment: .sandbox,
            roots: try TrustedRoots.apple(and: String(contentsOf: folder.roots, encoding: .utf8), in: [.sandbox]),
            database: folder.postgres.map { .postgres(PostgresDatabase(url: $0, connections: BarePostgres.connections)) }
                ?? .file(folder.database.path),
            secretKeyFile: folder.url.appending(path: "secret.key").path,
            requestRates: RequestRates(installation: unlimited, backend: unlimited))
    }
}
