import Foundation
import GRDB
public import Logging
package import PurchaseIssuing
public import PurchaseModel
import PurchaseProof
package import StoreProtocol

/// A local App Store for development and tests, which sells, renews and refunds the products of apps.
///
/// The store has the App Store's protocols: `verifyReceipt`, the App Store Server API, and App Store Server Notifications.
///
/// The store signs with its own certificate authority, which it creates at the first start and keeps in its database. Verifiers of the
/// store's signed data must trust ``rootsPEM``. A ``StoreHost`` makes the store available over HTTP.
public final class LocalAppStore: Sendable {
    /// The root certificate that verifiers of the store's receipts and signed data must trust, as PEM.
    public let rootsPEM: String
    /// The key with which a developer's server signs its tokens for the store's App Store Server API.
    public let apiKey: StoreAPIKey
    /// The name of the store, which is unique among the stores of a ``StoreHost``.
    public let name: String

    let context: StoreContext
    let storeServices: StoreServices
    /// The newest requests that the store has received.
    let requestLog = RequestLog()
    let roots: TrustedRoots
    let logger: Logger
    let rateLimiter: RateLimiter

    /// Opens or creates a store: migrates the database, and loads or creates the certificate authority.
    ///
    /// - Parameters:
    ///   - configuration: The apps, the database and the limits of the store.
    ///   - clock: The clock on which the store's time is based.
    ///   - logger: The logger of the store.
    /// - Throws: A database error if the database cannot be opened, or an error if the stored certificate authority is invalid.
    public convenience init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        let (name, isInMemory, ocspURL) = (configuration.name, configuration.database == .memory, configuration.ocspURL)
        try await self.init(configuration: configuration, clock: clock, logger: logger) { now in
            // The creation of RSA keys takes a tenth of a second, so all in-memory stores of a process share one set of keys.
            let keys = isInMemory ? try ReceiptKeys.shared : try ReceiptKeys()
            return try CertificateAuthority(storeNamed: "Local App Store \(name)", now: now, receiptKeys: keys, ocspURL: ocspURL)
        }
    }

    /// Opens or creates a store with a given certificate authority.
    ///
    /// - Parameter makeAuthority: A closure that creates the certificate authority of a new store from the store's current time.
    package convenience init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock, logger: Logger,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority
    ) async throws {
        let database = try StoreDatabase(configuration.database, copying: configuration.templatePath)
        try await self.init(configuration: configuration, in: database, clock: clock, logger: logger, makeAuthority: makeAuthority)
    }

    /// Opens or creates a store in an open database, which a simulation keeps when the store's process ends.
    ///
    /// - Parameter post: Posts a notification to a developer's server.
    init(
        configuration: LocalAppStoreConfiguration, in database: StoreDatabase, clock: any WallClock, logger: Logger,
        post: @escaping NotificationSender.Post = { await $1.post($0, within: $2) },
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority
    ) async throws {
        let eventBroadcast = EventBroadcast()
        let (context, apiKey) = try await database.writer.write { db in
            let clock = try StoreClock(base: clock, db)
            let context = StoreContext(
                database: database, clock: clock, apps: try StoreApps(configuration, db),
                signer: StoreSigner(authority: try Self.authority(db) { try makeAuthority(clock.now) }), eventBroadcast: eventBroadcast,
                faultFlag: try EnabledFaultFlag(db)
            )
            return (context, try StoreAPIKey(db))
        }
        self.context = context
        self.apiKey = apiKey
        name = configuration.name
        rootsPEM = context.signer.authority.rootsPEM
        roots = try TrustedRoots.localStore(rootsPEM)
        self.logger = logger
        rateLimiter = RateLimiter(configuration.rateLimits)
        storeServices = StoreServices(context, requestLog: requestLog, configuration: configuration, post: post, logger: logger)
    }

    private static func authority(_ db: Database, make: () throws -> CertificateAuthority) throws -> CertificateAuthority {
        if let archive = try StoreSettings.authority.value(db) {
            return try CertificateAuthority(archive: archive)
        }
        let authority = try make()
        try StoreSettings.authority.set(try authority.archive, db)
        return authority
    }

    /// A sequence with one element immediately, and one element after each request that the store has received.
    package var requestChanges: AsyncStream<Void> { requestLog.changes() }

    /// Returns the newest requests that match a query, oldest first, and the identifier of the newest request of all.
    package func requests(_ query: RequestQuery) -> (found: [RequestSummary], last: Int64) { requestLog.read(query) }

    /// The clock of the store's time, which can be advanced, frozen and accelerated with the control API.
    public var clock: any WallClock { context.clock }

    /// Sets the URL to which the store sends the first app's notifications, in sandbox and production.
    ///
    /// The URL is saved in the database.
    ///
    /// - Parameter url: The full URL of the endpoint on the developer's server; nil to send no notifications.
    ///
    /// - Throws: An error if `url` is not an http or https URL.
    public func setNotificationURL(_ url: String?) async throws {
        try await storeServices.appSettings.change(context.apps.defaultBundleID) { row in
            row.sandboxURL = url
            row.productionURL = url
        }
    }

    /// Sends all notifications that are due, and returns when the developer's servers have responded to them.
    ///
    /// The method stops sending at the first request that gets no response; the notifications that were not sent yet stay due.
    public func deliverNotifications() async throws {
        try await storeServices.dueEvents.catchUp()
        try await storeServices.sender.deliver()
    }
}
