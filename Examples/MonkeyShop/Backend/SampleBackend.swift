public import Foundation
public import LocalAppStore
public import Logging
import MonkeyShop
public import PurchaseKit
public import PurchaseModel
import PurchaseProof
public import PurchaseServer
import PurchaseStorage
public import StoreControl

/// Opens a store and a server with the sample app's products and with files in one folder.
public enum SampleBackend {
    /// Opens the store in a folder, or creates a store with the sample app's catalog.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder with the store's state.
    ///   - logger: The log of the store.
    public static func store(in folder: String, logger: Logger) async throws -> LocalAppStore {
        var configuration = LocalAppStoreConfiguration(
            bundleID: MonkeyShopSample.bundleID,
            catalog: try Catalog(storekit: MonkeyShopSample.storekit),
            database: .file("\(folder)/store.sqlite")
        )
        configuration.notificationRetries = .production
        let store = try await LocalAppStore(configuration: configuration, logger: logger)
        // Check a marker, so that products that the user has removed are not added again.
        let marker = "\(folder)/sample-products"
        if FileManager.default.contents(atPath: marker) != Data(productsVersion.utf8) {
            try await addMissing(to: store)
            try SampleFiles.replace(marker, with: Data(productsVersion.utf8))
        }
        return store
    }

    /// The version of the sample app's products, which increases when products are added.
    private static let productsVersion = "2"

    /// Adds the missing products of the sample's catalog, and the content that the App Store hosts, to a store with this catalog.
    private static func addMissing(to store: LocalAppStore) async throws {
        let sample = try Catalog(storekit: MonkeyShopSample.storekit)
        let isSample = store.catalog.item(MonkeyShopProduct.book) != nil && store.catalog.storefront == sample.storefront
        let missing = sample.items.filter { isSample && $0.subscription == nil && store.catalog.item($0.id) == nil }
        if !missing.isEmpty { try await store.changeCatalog { catalog in try missing.reduce(catalog) { try $0.setting($1) } } }
        for book in MonkeyShopBook.allCases where book.file == nil {
            try await store.addContent(Data(book.text.utf8), version: "1.0", of: book.product)
        }
    }

    /// Opens a server that trusts the store's root certificate, and uses the store's `verifyReceipt`, server API and clock.
    ///
    /// - Parameters:
    ///   - store: The store of the server's app.
    ///   - storeURL: The base address of the store.
    ///   - folder: The path of the folder with the server's database and content.
    ///   - logger: The log of the server.
    public static func server(
        for store: LocalAppStore, at storeURL: HTTPURL, in folder: String, logger: Logger
    ) async throws -> PurchaseServer {
        try writeContent(to: "\(folder)/content")
        let key = AppStoreServerAPIKey(
            issuerID: store.apiKey.issuerID, keyID: store.apiKey.keyID, privateKey: store.apiKey.privateKeyPEM, baseURL: storeURL)
        var app = AppConfiguration(
            bundleID: MonkeyShopSample.bundleID,
            products: try PurchaseServerConfiguration.loadProducts(json: MonkeyShopSample.products),
            content: content(in: folder),
            verifyReceiptProductionURL: storeURL.appending("/production") ?? storeURL,
            verifyReceiptSandboxURL: storeURL.appending("/sandbox") ?? storeURL,
            appStoreServerAPI: key,
            offerKey: key
        )
        // Declare the entitlement that a step of the tour grants, and that belongs to no product.
        app.entitlements = ["lounge"]
        return try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                apps: [app],
                environment: .sandbox,
                roots: TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox]),
                database: .file("\(folder)/server.sqlite"),
                // Raise the rate, because the tour launches the app of one customer twenty times in a few seconds.
                requestRates: RequestRates(installation: RequestRate(perSecond: 100, burst: 1_000))
            ),
            clock: store.clock,
            logger: logger
        )
    }

    /// Writes the books that are missing in the server's content folder.
    ///
    /// - Parameter folder: The path of the content folder.
    public static func writeContent(to folder: String) throws {
        try SampleFiles.createFolder(folder)
        for book in MonkeyShopBook.allCases {
            guard let file = book.file, !FileManager.default.fileExists(atPath: "\(folder)/\(file)") else { continue }
            try SampleFiles.replace("\(folder)/\(file)", with: Data(book.text.utf8))
        }
    }

    private static func content(in folder: String) -> ContentConfiguration {
        var content = ContentConfiguration.folder("\(folder)/content")
        // Raise the limit, because a visitor of the page may download and remove a book repeatedly.
        content.tokensPerDay = 10_000
        return content
    }

    /// Creates a publishable and a secret API key of the sample app.
    ///
    /// - Parameter server: The server of the sample app.
    /// - Throws: ``SampleBackendError/unknownApp`` if the server does not serve the sample app.
    public static func keys(of server: PurchaseServer) async throws -> SampleKeys {
        guard let service = server.apiKeys(of: MonkeyShopSample.bundleID) else { throw SampleBackendError.unknownApp }
        return SampleKeys(
            // Add the scopes for debits and signed offers, which the default scopes of a publishable key exclude.
            publishable: try await service.create(
                .publishable, scopes: APIKeyKind.publishable.defaultScopes.union([.debit, .signOffers]), name: "sample app"
            ).text,
            secret: try await service.create(.secret, name: "sample backend").text,
            verificationKeys: server.verificationKeys(of: MonkeyShopSample.bundleID))
    }

    /// Returns the API keys of the sample app, which the first call creates and stores in the folder.
    ///
    /// - Parameters:
    ///   - server: The server of the sample app.
    ///   - folder: The path of the folder for the file with the keys.
    /// - Throws: ``SampleBackendError/unknownApp`` if the server does not serve the sample app.
    public static func keys(of server: PurchaseServer, in folder: String) async throws -> SampleKeys {
        let path = "\(folder)/server-keys.json"
        if let data = FileManager.default.contents(atPath: path), let keys = try? JSONDecoder().decode(SampleKeys.self, from: data) {
            return keys
        }
        let keys = try await keys(of: server)
        try SampleFiles.replace(path, with: try JSONEncoder().encode(keys))
        return keys
    }

    /// Creates an account in the store; a repeated call with the same arguments changes nothing.
    ///
    /// A restarted store responds with status 503 while it processes due events; the request is then repeated every 200 milliseconds, for
    /// about ten minutes.
    ///
    /// - Parameters:
    ///   - account: The identifier of the account.
    ///   - password: The password of the account.
    ///   - askToBuyEnabled: Whether a parent must approve each purchase.
    ///   - store: The store of the account.
    /// - Throws: The error of the last request.
    public static func createAccount(
        _ account: AccountID, password: String, askToBuyEnabled: Bool = false, in store: StoreClient
    ) async throws {
        for attempt in 1... {
            do {
                return try await store.createAccount(account, password: password, askToBuyEnabled: askToBuyEnabled)
            } catch {
                guard error.status == 503, attempt < accountAttempts else { throw error }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// The maximum number of attempts to create an account; with the pauses between them, they take about ten minutes.
    private static let accountAttempts = 3_000

    /// The path of the server's endpoint for the store's notifications.
    public static let notificationPath = "/v1/notifications"

    /// The sample app's customer on the developer's server.
    public static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
}

/// An error of the sample app's backend.
public enum SampleBackendError: Error, Equatable {
    /// The server does not serve the sample app.
    case unknownApp
}

extension SampleBackendError: CustomStringConvertible {
    /// The message for the operator.
    public var description: String {
        switch self {
        case .unknownApp: "The server does not serve \(MonkeyShopSample.bundleID). Open the server with SampleBackend.server."
        }
    }
}

/// The API keys of the sample app on its server.
public struct SampleKeys: Codable, Hashable, Sendable {
    /// The publishable key, for the app.
    public let publishable: String
    /// The secret key, for the app's backend.
    public let secret: String
    /// The server's public keys as a JWK set, which the app contains; nil if the server has no keys.
    public let verificationKeys: Data?

    /// Requests a customer token with the secret key, as an app's backend does when a user signs in.
    ///
    /// - Parameters:
    ///   - customer: The signed-in customer.
    ///   - serverURL: The base address of the server.
    /// - Returns: The credentials of the app for the customer.
    public func credentials(for customer: CustomerID, at serverURL: HTTPURL) async throws -> ServerCredentials {
        let token = try await BackendClient(serverURL, .backend(secretKey: secret, customer)).customerToken()
        return ServerCredentials(publishableKey: publishable, customerToken: token, verificationKeys: verificationKeys)
    }
}
