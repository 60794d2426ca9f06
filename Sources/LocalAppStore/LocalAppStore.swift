import Foundation
import GRDB
public import Logging
package import PurchaseIssuing
public import PurchaseModel
import PurchaseProof

/// A local App Store for development and tests, which sells, signs, renews and refunds as the App Store does, with the App Store's
/// protocols.
///
/// The store signs with its own certificate authority, which is created at the first start and kept in the database. Verifiers of the
/// store's signed data must trust ``rootsPEM``. A ``StoreHost`` makes the store available over HTTP.
public final class LocalAppStore: Sendable {
    /// The root certificate that verifiers of the store's receipts and signed data must trust, as PEM.
    public let rootsPEM: String
    /// The key for tokens of the App Store Server API.
    public let apiKey: StoreAPIKey
    /// The store's name at its host.
    public let name: String

    let ledger: StoreLedger
    let roots: TrustedRoots
    let logger: Logger
    let notifier: Notifier
    let rateLimiter: RateLimiter

    /// Opens and migrates the database, and loads the certificate authority or creates one.
    ///
    /// - Throws: The error of SQLite if the database is unusable, or of the authority if its archive is unusable.
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

    /// Opens and migrates the database; for a new store, `makeAuthority` creates the certificate authority and receives the store's time.
    package init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock, logger: Logger,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority
    ) async throws {
        let database = try StoreDatabase(configuration.database, copying: configuration.templatePath)
        let eventBroadcast = EventBroadcast()
        let (ledger, apiKey) = try await database.writer.write { db in
            let clock = try StoreClock(base: clock, db)
            let ledger = StoreLedger(
                database: database, clock: clock, apps: try StoreApps(configuration, db),
                signer: StoreSigner(authority: try Self.authority(db) { try makeAuthority(clock.now) }), eventBroadcast: eventBroadcast,
                faults: try EnabledFaultFlag(db), eventsPerRequest: configuration.eventsPerRequest
            )
            return (ledger, try StoreAPIKey(db))
        }
        self.ledger = ledger
        self.apiKey = apiKey
        name = configuration.name
        rootsPEM = ledger.signer.authority.rootsPEM
        roots = try TrustedRoots.localStore(rootsPEM)
        self.logger = logger
        rateLimiter = RateLimiter(configuration.rateLimits)
        notifier = Notifier(
            ledger: ledger, retries: configuration.notificationRetries, timeout: configuration.notificationTimeout, logger: logger)
    }

    private static func authority(_ db: Database, make: () throws -> CertificateAuthority) throws -> CertificateAuthority {
        if let archive = try StoreSettings.authority.value(db) {
            return try CertificateAuthority(archive: archive)
        }
        let authority = try make()
        try StoreSettings.authority.set(try authority.archive, db)
        return authority
    }

    /// The store's time: the base clock with all adjustments (`ControlEndpoints.advance`).
    public var clock: any WallClock { ledger.clock }

    /// Sets the notification URL of the first app: the full URL of the server's endpoint; with nil, notifications stay in the store.
    ///
    /// The URL is saved in the database.
    ///
    /// - Throws: An error if the text is not an http or https URL.
    public func setNotificationURL(_ url: String?) async throws {
        try await ledger.change(ledger.apps.defaultBundleID) { row in
            row.sandboxURL = url
            row.productionURL = url
        }
    }

    /// Sends every notification that is due, and returns when each has a response, or as soon as one request gets no response.
    ///
    /// Notifications without an attempt stay due.
    public func deliverNotifications() async throws {
        try await ledger.catchUp()
        try await notifier.deliver()
    }
}
