import AppStoreServerAPI
import Foundation
import Logging
package import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// The services of one app of the server.
///
/// The type is a class, because the context of each request contains the services and is copied often.
package final class AppServices: Sendable {
    /// The bundle identifier of the app.
    let id: BundleID
    let storage: any PurchaseStorage
    package let catalog: CatalogService
    let signedData: SignedDataVerifier
    /// The verifier of signed data in responses of the App Store Server API.
    ///
    /// The token of each request names the app, so the configuration can accept transactions without `bundleId` here.
    let answeredData: SignedDataVerifier
    let receipts: ReceiptAuthority
    let verifyReceipt: VerifyReceiptService
    package let recorder: PurchaseRecorder
    let customers: CustomerService
    let secrets: SecretService
    package let purchases: PurchaseService
    let entitlements: EntitlementService
    let ledger: LedgerService
    let consent: ConsentService
    let offers: OfferService
    let content: ContentService
    let answers: AnswerSigner
    let notifications: NotificationService
    /// The reconciliation with the App Store; nil without a key of the App Store Server API.
    package let reconciliation: ReconciliationService?
    private let keyMonitor: AppStoreKeyMonitor
    /// The warning for as long as the App Store refuses the key of the App Store Server API; nil without a key.
    private let refusedKey: OperatorWarning?
    /// The sender of requests to the App Store; nil without a key of the App Store Server API.
    let outbox: OutboxService?

    /// Creates the services of an app.
    ///
    /// - Throws: ``ConfigurationError`` for an invalid key of the App Store Server API, or an error of the storage.
    init(
        _ app: AppConfiguration, of server: PurchaseServerConfiguration, revocation: Revocation, storage: any PurchaseStorage,
        appStore: any ServerAPITransport = HTTPServerAPITransport(), cipher: SecretCipher, clock: any WallClock,
        transportClock: any WallClock, timer: any Clock<Duration>, logger: Logger, comparison: CatalogComparison? = nil
    ) async throws {
        id = app.bundleID
        self.storage = storage
        let secrets = SecretService(app: app.bundleID, storage: storage, cipher: cipher)
        self.secrets = secrets
        var losses: CatalogService.Losses?
        if let comparison {
            losses = { present, other in
                try await comparison(
                    CatalogChange(app: app, server: server, storage: storage, clock: clock, present: present, other: other))
            }
        }
        let catalog = try await CatalogService(app, storage: storage, logger: logger, comparison: losses)
        self.catalog = catalog
        signedData = SignedDataVerifier(
            roots: server.roots, revocation: revocation, bundleID: app.bundleID, environments: server.acceptedEnvironments)
        answeredData = signedData.assuming(bundleID: app.appStoreServerAPI?.acceptsMissingBundleID == true ? app.bundleID : nil)
        receipts = ReceiptAuthority(app, of: server, revocation: revocation, clock: clock, logger: logger)
        verifyReceipt = VerifyReceiptService(
            app: app.bundleID, secret: SharedSecret(app.sharedSecret), storage: storage, catalog: catalog, receipts: receipts,
            shadow: VerifyReceiptShadow(app, storage: storage, catalog: catalog, clock: clock, logger: logger), clock: clock)
        recorder = PurchaseRecorder(app, of: server, catalog: catalog, clock: clock)
        let appStoreOutages = OutageMonitor()
        let refusedKey = app.appStoreServerAPI.map { OperatorWarning(refusedKey: $0.keyID, of: app.bundleID) }
        let appStore = AppStoreKeyMonitor(appStore) {
            if let refusedKey { logger.warning("\(refusedKey.message)", metadata: ["app": "\(refusedKey.app)"]) }
        }
        keyMonitor = appStore
        self.refusedKey = refusedKey
        let client = try app.appStoreServerAPI?.client(
            of: app.bundleID, in: server.environment, over: appStore, clock: transportClock, timer: timer)
        // A configured base URL, such as a local store's, serves one environment.
        let asksSandbox = server.environment == .production && app.appStoreServerAPI?.baseURL == nil
        let sandbox =
            asksSandbox
            ? try app.appStoreServerAPI?.client(of: app.bundleID, in: .sandbox, over: appStore, clock: transportClock, timer: timer) : nil
        customers = CustomerService(app: id, storage: storage, clock: clock)
        ledger = LedgerService(app: id, storage: storage, clock: clock, catalog: catalog)
        consent = ConsentService(app: id, storage: storage, clock: clock)
        let signer = try app.offerKey.map { key throws(ConfigurationError) in
            try OfferSigner(key, of: app.bundleID, clock: transportClock)
        }
        offers = OfferService(app: id, storage: storage, catalog: catalog, signer: signer)
        purchases = PurchaseService(
            app: id,
            verifier: ProofVerifier(
                signedData: signedData, answeredData: answeredData, receipts: receipts,
                transactionReceipts: TransactionReceiptVerifier(
                    roots: server.roots, bundleID: app.bundleID, environments: server.acceptedEnvironments),
                lookup: client.map {
                    TransactionLookup(
                        client: $0, environment: server.environment, sandbox: sandbox, appStoreOutages: appStoreOutages, logger: logger)
                },
                confirmation: app.transactionConfirmation),
            storage: storage, recorder: recorder, clock: clock)
        let notifications = NotificationService(
            app: id, storage: storage, signedData: signedData, receipts: receipts, recorder: recorder, sharedSecret: app.sharedSecret,
            consent: client == nil ? .off : app.consumption.consent, clock: clock)
        self.notifications = notifications
        appStoreOutages.whenRecovered { [wakeup = notifications.wakeup] in wakeup.wake() }
        entitlements = EntitlementService(app, of: server, storage: storage, catalog: catalog, clock: clock) {
            [wakeup = notifications.wakeup] in wakeup.wake()
        }
        reconciliation = client.map { [id, recorder, answeredData] client in
            ReconciliationService(
                app: id, environment: server.environment, client: client, storage: storage, notifications: notifications,
                recorder: recorder, clock: clock, logger: logger, appStoreOutages: appStoreOutages, signedData: answeredData)
        }
        outbox = client.map { [id] client in
            OutboxService(
                app: id, client: client, storage: storage, catalog: catalog, policy: app.consumption, clock: clock, timer: timer,
                appStoreOutages: appStoreOutages, logger: logger)
        }
        content = try await ContentService(
            app, storage: storage, catalog: catalog, entitlements: entitlements, secrets: secrets, clock: clock,
            transportClock: transportClock)
        answers = try await AnswerSigner(secrets)
        await content.reportMissingFiles(to: logger)
    }
}

extension AppServices {
    /// The problems that an operator has to correct while the server continues to serve the app's requests.
    var warnings: [OperatorWarning] {
        guard let refusedKey, keyMonitor.isRefused else { return [] }
        return [refusedKey]
    }
}

extension OperatorWarning {
    /// Creates the warning about a key that the App Store refuses.
    fileprivate init(refusedKey keyID: String, of app: BundleID) {
        self.init(
            code: "app-store.key-refused", app: app,
            message: """
                The App Store refuses the key \(keyID) of \(app) (status 401), so that renewals and refunds can be missing. Check \
                app-store-server-api.issuer-id, app-store-server-api.key-id and app-store-server-api.private-key-file, and the clock of this \
                machine.
                """)
    }
}

/// The apps of a server.
package struct Apps: Sendable {
    /// Every app, in the order of the configuration.
    package let all: [AppServices]
    private let byID: [BundleID: AppServices]

    /// Creates a collection of apps with different identifiers.
    package init(_ all: [AppServices]) {
        self.all = all
        byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Accesses the app with the given bundle identifier; nil for an unknown app.
    package subscript(id: BundleID) -> AppServices? { byID[id] }
}
