package import LocalAppStore
package import Logging
import MonkeyShop
package import PurchaseModel
import PurchaseProof
package import PurchaseServer

/// Opens a store and a server with the sample app's products, and with their state in one folder.
package enum SampleBackend {
    /// Opens the store whose state is in a folder, or creates it.
    package static func store(in folder: String, logger: Logger) async throws -> LocalAppStore {
        var configuration = LocalAppStoreConfiguration(
            bundleID: MonkeyShopSample.bundleID,
            catalog: try Catalog(storekit: MonkeyShopSample.storekit),
            database: .file("\(folder)/store.sqlite")
        )
        configuration.notificationRetries = .production
        return try await LocalAppStore(configuration: configuration, logger: logger)
    }

    /// Opens the server, which trusts the store's root certificate, uses its `verifyReceipt`, and uses its clock.
    package static func server(
        for store: LocalAppStore, at storeURL: HTTPURL, in folder: String, logger: Logger
    ) async throws -> PurchaseServer {
        try MonkeyShopSample.writeContent(to: "\(folder)/content")
        return try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                bundleID: MonkeyShopSample.bundleID,
                environment: .sandbox,
                roots: TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox]),
                verifyReceiptProductionURL: storeURL.appending("/production") ?? storeURL,
                verifyReceiptSandboxURL: storeURL.appending("/sandbox") ?? storeURL,
                products: PurchaseServerConfiguration.loadProducts(json: MonkeyShopSample.products),
                contentFolder: "\(folder)/content",
                database: .file("\(folder)/server.sqlite")
            ),
            clock: store.clock,
            logger: logger
        )
    }
}
