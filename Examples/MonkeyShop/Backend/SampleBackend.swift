public import Foundation
public import LocalAppStore
public import Logging
import MonkeyShop
public import PurchaseKit
public import PurchaseModel
import PurchaseProof
public import PurchaseServer
public import StoreControl

/// Opens a store and a server with the sample app's products, and with their state in one folder.
public enum SampleBackend {
    /// Opens the store whose state is in a folder, or creates it.
    public static func store(in folder: String, logger: Logger) async throws -> LocalAppStore {
        var configuration = LocalAppStoreConfiguration(
            bundleID: MonkeyShopSample.bundleID,
            catalog: try Catalog(storekit: MonkeyShopSample.storekit),
            database: .file("\(folder)/store.sqlite")
        )
        configuration.notificationRetries = .production
        let store = try await LocalAppStore(configuration: configuration, logger: logger)
        // What a person has removed since is not added again.
        let marker = "\(folder)/sample-products"
        if FileManager.default.contents(atPath: marker) != Data(productsVersion.utf8) {
            try await addMissing(to: store)
            try SampleFiles.replace(marker, with: Data(productsVersion.utf8))
        }
        return store
    }

    /// The version of the sample app's products, which changes when some are added.
    private static let productsVersion = "2"

    /// Adds what the sample app has had since the folder was created: products, unless the person has another catalog, and content.
    private static func addMissing(to store: LocalAppStore) async throws {
        let sample = try Catalog(storekit: MonkeyShopSample.storekit)
        let isSample = store.catalog.item(MonkeyShopProduct.book) != nil && store.catalog.storefront == sample.storefront
        let missing = sample.items.filter { isSample && $0.subscription == nil && store.catalog.item($0.id) == nil }
        if !missing.isEmpty { try await store.changeCatalog { catalog in try missing.reduce(catalog) { try $0.setting($1) } } }
        for book in MonkeyShopBook.allCases where book.file == nil {
            try await store.addContent(Data(book.text.utf8), version: "1.0", of: book.product)
        }
    }

    /// Opens the server, which trusts the store's root certificate, uses its `verifyReceipt`, and uses its clock.
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
        // A step of the tour grants this entitlement, which no product gives.
        app.entitlements = ["lounge"]
        return try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                apps: [app],
                environment: .sandbox,
                roots: TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox]),
                database: .file("\(folder)/server.sqlite"),
                // The tour launches the app of one customer twenty times in a few seconds.
                requestRates: RequestRates(installation: RequestRate(perSecond: 100, burst: 1_000))
            ),
            clock: store.clock,
            logger: logger
        )
    }

    /// Writes the books into the server's content folder that are not there already.
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
        // A visitor of the sample app's page requests and removes its books as often as he or she likes.
        content.tokensPerDay = 10_000
        return content
    }

    /// Creates a publishable and a secret API key of the sample app.
    public static func keys(of server: PurchaseServer) async throws -> SampleKeys {
        guard let service = server.apiKeys(of: MonkeyShopSample.bundleID) else { throw SampleBackendError.unknownApp }
        return SampleKeys(
            // The sample app spends credits and requests offers by itself, which the default scopes of a publishable key do not permit.
            publishable: try await service.create(
                .publishable, scopes: APIKeyKind.publishable.defaultScopes.union([.debit, .signOffers]), name: "sample app"
            ).text,
            secret: try await service.create(.secret, name: "sample backend").text,
            verificationKeys: server.verificationKeys(of: MonkeyShopSample.bundleID))
    }

    /// Returns the API keys of the sample app, which the first call with a folder creates and stores there.
    public static func keys(of server: PurchaseServer, in folder: String) async throws -> SampleKeys {
        let path = "\(folder)/server-keys.json"
        if let data = FileManager.default.contents(atPath: path), let keys = try? JSONDecoder().decode(SampleKeys.self, from: data) {
            return keys
        }
        let keys = try await keys(of: server)
        try SampleFiles.replace(path, with: try JSONEncoder().encode(keys))
        return keys
    }

    /// Creates an account in the store; a repeated call with the same data changes nothing.
    ///
    /// The store responds with 503 while it processes events that fell due since its last stop; the request is then repeated.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - password: The password.
    ///   - askToBuyEnabled: Whether a parent must approve each purchase.
    ///   - store: The store.
    public static func createAccount(
        _ account: AccountID, password: String, askToBuyEnabled: Bool = false, in store: StoreClient
    ) async throws {
        while true {
            do {
                return try await store.createAccount(account, password: password, askToBuyEnabled: askToBuyEnabled)
            } catch  where error.status == 503 {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

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
    /// The sentence for the operator.
    public var description: String {
        switch self {
        case .unknownApp: "The server does not serve \(MonkeyShopSample.bundleID). Open it with SampleBackend.server."
        }
    }
}

/// The API keys of the sample app on its server.
public struct SampleKeys: Codable, Hashable, Sendable {
    /// The key of the app.
    public let publishable: String
    /// The key of the app's backend.
    public let secret: String
    /// The server's public keys as a JWK set, which the app contains.
    public let verificationKeys: Data?

    /// Requests a customer token with the secret key, as the app's backend does when its user signs in.
    public func credentials(for customer: CustomerID, at serverURL: HTTPURL) async throws -> ServerCredentials {
        let token = try await BackendClient(serverURL, .backend(secretKey: secret, customer)).customerToken()
        return ServerCredentials(publishableKey: publishable, customerToken: token, verificationKeys: verificationKeys)
    }
}
