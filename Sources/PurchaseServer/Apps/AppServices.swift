import Foundation
package import PurchaseModel
import PurchaseStorage

/// The services of one app of the server.
///
/// The type is a class, because the context of each request contains the services and is copied often.
package final class AppServices: Sendable {
    let id: BundleID
    let storage: any PurchaseStorage
    package let catalog: CatalogService
    let verifiers: AppVerifiers
    package let purchases: SubmissionService
    let customers: CustomerService
    let ledger: LedgerService
    let entitlements: EntitlementService
    let offers: OfferService
    let teams: TeamService
    let content: PurchasedContentService
    let answers: AnswerSigner
    let verifyReceipt: VerifyReceiptService
    let notifications: NotificationReceiver
    /// The feed of the app's events.
    package let feed: FeedService
    /// The webhook endpoints of the app.
    package let webhooks: WebhookService
    /// The acknowledgments for which submissions wait.
    let acknowledgments: WebhookAcknowledgments
    /// The sender of the app's events to the webhook endpoints.
    let webhookSender: WebhookSender
    /// The services that send requests to the App Store Server API; nil without a key of the API.
    package let appStore: AppStoreServices?

    /// Creates the services, with the app's secrets and catalog from the storage.
    ///
    /// - Throws: ``ConfigurationError`` for an invalid key of the App Store Server API, or an error of the storage.
    init(_ app: AppConfiguration, of server: ServerResources) async throws {
        id = app.bundleID
        catalog = try await CatalogService(app, of: server)
        feed = FeedService(app, of: server, catalog)
        var server = server
        let fanOut = NotificationFanOut(clock: server.transportClock)
        // Insert the events of all changes that the services of the app make.
        server.storage = FeedStorage(storage: server.storage, emitter: feed.emitter, fanOut: fanOut, signal: feed.signal)
        storage = server.storage
        verifiers = AppVerifiers(app, of: server)
        let connection = try AppStoreConnection(app, of: server)
        let recorder = PurchaseRecorder(app, of: server.configuration, catalog: catalog, clock: server.clock)
        purchases = SubmissionService(
            app: id, verifier: ProofVerifier(app, of: server, verifiers, connection), storage: storage, recorder: recorder,
            clock: server.clock, metrics: server.metrics)
        customers = CustomerService(app: id, storage: storage, clock: server.clock)
        ledger = LedgerService(app: id, storage: storage, clock: server.clock, catalog: catalog)
        notifications = NotificationReceiver(app, of: server, verifiers, recorder)
        entitlements = EntitlementService(app, of: server, catalog, notifications.wakeup)
        offers = try OfferService(app, of: server, catalog)
        let keeper = TeamKeeper(
            app: id, storage: storage, connection: connection, policy: app.teams, clock: server.clock, logger: server.logger)
        teams = TeamService(
            app: id, storage: storage, catalog: catalog, entitlements: entitlements, keeper: keeper, clock: server.clock)
        let secrets = SecretService(app: id, storage: storage, cipher: server.cipher)
        webhooks = WebhookService(
            app: id, storage: storage, secrets: secrets, hosts: server.webhookHosts, signal: feed.signal, fanOut: fanOut,
            clock: server.transportClock)
        acknowledgments = WebhookAcknowledgments(app: id, storage: storage, feed: feed)
        webhookSender = WebhookSender(
            app: id, storage: storage, messages: WebhookMessages(app: id, secrets: secrets, catalog: catalog), hosts: server.webhookHosts,
            transport: server.webhookTransport, clock: server.transportClock, metrics: server.metrics, logger: server.logger)
        content = try await PurchasedContentService(app, of: server, catalog, entitlements, secrets)
        answers = try await AnswerSigner(secrets)
        verifyReceipt = VerifyReceiptService(app, of: server, catalog, verifiers.receipts)
        appStore = AppStoreServices(app, of: server, connection, catalog, notifications, verifiers, keeper)
    }
}

/// The apps of a server, by bundle identifier.
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
