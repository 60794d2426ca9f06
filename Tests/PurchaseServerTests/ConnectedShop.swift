import Foundation
import HummingbirdTesting
import LocalAppStore
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// A purchase server that calls a local App Store over HTTP, and receives no notifications from it.
struct ConnectedShop: Sendable {
    let store: StoreHarness
    let clock: ManualClock
    let server: PurchaseServer
    let app: AppServices
    let device: SignedInDevice
    private let configuration: PurchaseServerConfiguration
    private let timer: any Clock<Duration>

    /// Opens a shop and its store for `body`.
    static func open(
        database: PurchaseDatabase? = nil, clock: ManualClock = ManualClock(), timer: any Clock<Duration> = InstantTimer(),
        logger: Logger = .silent,
        storekit: String = TestCatalog.storekit, secret: String? = nil, change: Shop.Change = Shop.Change { _ in },
        _ body: @Sendable (ConnectedShop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await StoreHarness.run(clock: clock, storekit: storekit, secret: secret, over: .live) { store in
                var configuration = try Shop.configuration(contentFolder: folder.url.path())
                try Shop.bookText.write(to: folder.file("book.txt"))
                configuration.database = if let database { database } else { try await ShopDatabase.make() }
                if case .postgres = configuration.database { configuration.secretKeyFile = folder.file("server.key").path() }
                configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                    issuerID: store.store.apiKey.issuerID, keyID: store.store.apiKey.keyID,
                    privateKey: store.store.apiKey.privateKeyPEM, baseURL: store.url)
                configuration.apps[0].receiptConfirmation = .off
                configuration.apps[0].verifyReceiptProductionURL = try #require(store.url.appending("/production"))
                configuration.apps[0].verifyReceiptSandboxURL = try #require(store.url.appending("/sandbox"))
                configuration.apps[0].products.append(ServerProduct(id: .magazineWeekly, credits: 2))
                change.body(&configuration.apps[0])
                // The store signs notifications for this URL, at which nothing listens.
                try await store.setNotifications(url: "http://127.0.0.1:9/notifications")
                let storage = CheckedStorage(try await PurchaseServer.open(configuration.database))
                let server = try await PurchaseServer(
                    configuration: configuration, storage: storage, clock: clock, transportClock: clock, timer: timer, logger: logger)
                try await body(
                    ConnectedShop(
                        store: store, clock: clock, server: server, app: try #require(server.apps[.test]),
                        device: try await store.signIn(), configuration: configuration, timer: timer))
                #expect(storage.violations == [])
            }
        }
    }

    /// Returns the services of a server process that opens the database again.
    func restarted(revocation: RevocationMode = .off) async throws -> AppServices {
        var configuration = configuration
        configuration.revocation = revocation
        let server = try await PurchaseServer(
            configuration: configuration, clock: clock, transportClock: clock, timer: timer, logger: .silent)
        return try #require(server.apps[.test])
    }

    /// Buys a product for the shop's customer, and submits the transaction as the app does.
    @discardableResult
    func buy(_ product: ProductID) async throws -> TransactionPayload {
        let signed = try await device.signedPurchase(product, customer: Shop.customer)
        let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: signed)])
        let results = try await app.purchases.submit(request, for: nil, isBackend: true).results
        #expect(results.map(\.status) == [.verified])
        return try await store.payloads([signed])[0]
    }

    /// Submits the unfinished transactions of the device.
    func submitUnfinished() async throws {
        let proofs = try await device.unfinished().transactions.map { PurchaseProofInput(signedTransaction: $0.signedTransaction) }
        _ = try await app.purchases.submit(SubmitPurchasesRequest(proofs: proofs), for: nil, isBackend: true)
    }

    /// Buys a product in the store for the shop's customer, without an app that submits it.
    func buyInStore(_ product: ProductID) async throws {
        _ = try await store.call(
            ControlEndpoints.buy, BuyRequest(account: .test, productID: product, appAccountToken: Shop.customer))
    }

    /// Runs `body` while the store sends its notifications to the server.
    func receivingNotifications(version: Int = 2, _ body: @Sendable () async throws -> Void) async throws {
        try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
            let port = try #require(client.port)
            try await store.setNotifications(url: "http://127.0.0.1:\(port)/v1/notifications", version: version)
            try await body()
        }
    }

    /// Lets time pass for the store and the server.
    func pass(days: Int64 = 0, seconds: Int64 = 0) async throws {
        clock.advance(seconds: days * 86_400 + seconds)
        // The store processes its due events during a request.
        try await store.advance(seconds: 1)
    }

    /// Reconciles the app.
    @discardableResult
    func reconcile(since: Timestamp? = nil) async throws -> ReconciliationReport {
        let report = try await server.reconcile(.test, since: since)
        return try #require(report)
    }

    /// Reads an entitlement of the shop's customer.
    func entitlement(to product: ProductID) async throws -> EntitlementReply {
        try await app.entitlements.read(EntitlementName(product.rawValue), of: .id(Shop.customer), at: nil)
    }

    /// Makes the App Store Server API answer every request with an error, or removes the error.
    func setServerAPI(failing: Bool) async throws {
        guard failing else {
            _ = try await store.call(ControlEndpoints.clearFaults, Empty())
            return
        }
        var fault = Fault(.status(code: 503, retryAfterSeconds: nil))
        fault.surface = .serverAPI
        _ = try await store.call(ControlEndpoints.setFault, fault)
    }
}

extension AppServices {
    /// Returns whether the shop's customer receives a download token for the content of a product.
    func givesContent(of product: ProductID) async throws -> Bool {
        do {
            _ = try await content.issueToken(for: product, to: .id(Shop.customer))
            return true
        } catch ContentRefusal.notBought, ContentRefusal.ended {
            return false
        }
    }
}

extension StoreHarness {
    /// Sets the URL and the version of the sandbox's notifications.
    func setNotifications(url: String, version: Int = 2) async throws {
        var request = AppRequest()
        request.sandboxURL = url
        request.notificationVersion = version
        _ = try await call(ControlEndpoints.setApp, request, ["bundle": BundleID.test.rawValue])
    }
}
