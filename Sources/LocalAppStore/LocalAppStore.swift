import Foundation
import GRDB
public import Logging
package import PurchaseIssuing
public import PurchaseModel
import PurchaseProof

/// A store for development and tests: it sells, signs, renews and refunds as the App Store does, and speaks its protocols.
///
/// It signs with an authority of its own, which it makes at its first start and keeps in its database; whoever is to believe it
/// must be given ``rootsPEM``. A ``StoreHost`` lets the world reach it.
public final class LocalAppStore: Sendable {
    /// The certificate that a verifier of the store's receipts and signed data has to trust, as PEM.
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

    /// Opens the database, brings it up to date, and makes the authority or goes on with the one that is there.
    ///
    /// - Throws: The error of SQLite when the database cannot be used, or of the authority when its archive cannot.
    public convenience init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        let (name, isInMemory, ocspURL) = (configuration.name, configuration.database == .memory, configuration.ocspURL)
        try await self.init(configuration: configuration, clock: clock, logger: logger) { now in
            // RSA keys take a tenth of a second to make: what is forgotten with the process shares one set.
            let keys = isInMemory ? try ReceiptKeys.shared : try ReceiptKeys()
            return try CertificateAuthority(storeNamed: "Local App Store \(name)", now: now, receiptKeys: keys, ocspURL: ocspURL)
        }
    }

    /// Opens the database likewise; the authority of a new store is made by `makeAuthority`, which gets the store's time.
    package init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock, logger: Logger,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority
    ) async throws {
        let database = try StoreDatabase(configuration.database, copying: configuration.copied)
        let news = EventBroadcast()
        let (ledger, apiKey) = try await database.writer.write { db in
            let clock = try StoreClock(base: clock, db)
            let ledger = StoreLedger(
                database: database, clock: clock, apps: try StoreApps(configuration, db),
                signer: StoreSigner(authority: try Self.authority(db) { try makeAuthority(clock.now) }), news: news,
                faults: try FaultPresence(db), eventsPerTurn: configuration.eventsPerTurn
            )
            return (ledger, try StoreAPIKey(db))
        }
        self.ledger = ledger
        self.apiKey = apiKey
        name = configuration.name
        rootsPEM = ledger.signer.authority.rootsPEM
        roots = try TrustedRoots.own(rootsPEM)
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

    /// The store's time: the clock that it was given, and how far it was moved since (`ControlEndpoints.advance`).
    public var clock: any WallClock { ledger.clock }

    /// Says where notifications of the first app go: the full address of the server's intake; nil keeps them in the store.
    ///
    /// It is remembered.
    ///
    /// - Throws: An error when it is not an http or https address.
    public func setNotificationURL(_ url: String?) async throws {
        try await ledger.change(ledger.apps.first) { row in
            row.sandboxURL = url
            row.productionURL = url
        }
    }

    /// Sends every notification that is due now, and returns when each was answered, or as soon as one got no answer.
    ///
    /// What was not tried stays due.
    public func deliverNotifications() async throws {
        try await ledger.catchUp()
        try await notifier.deliver()
    }
}
