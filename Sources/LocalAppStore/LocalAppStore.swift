import GRDB
public import Logging
package import PurchaseIssuing
public import PurchaseModel
import PurchaseProof
public import ServiceLifecycle

/// A store for development and tests: it sells, signs, renews and refunds as the App Store's sandbox does, and verifies receipts.
///
/// It signs with an authority of its own, which it makes at its first start and keeps in its database; whoever is to believe it
/// must be given ``rootsPEM``. Run ``application(hostname:port:onServerRunning:addRoutes:)`` and ``services`` in one service group.
public final class LocalAppStore: Sendable {
    /// Everything that the store sells is the sandbox's.
    static let environment = AppEnvironment.sandbox

    /// The certificates that a verifier of the store's receipts and signed data has to trust, as PEM.
    public let rootsPEM: String

    let ledger: StoreLedger
    let roots: TrustedRoots
    let sharedSecret: String?
    let logger: Logger
    let notifier: Notifier

    /// Opens the database, brings it up to date, and makes the authority or goes on with the one that is there.
    ///
    /// - Throws: The error of SQLite when the database cannot be used, or of the authority when its archive cannot.
    public convenience init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        try await self.init(configuration: configuration, clock: clock, logger: logger) { now in
            try CertificateAuthority(name: "Local App Store", now: now)
        }
    }

    /// Opens the database likewise; the authority of a new store is made by `makeAuthority`, which gets the store's time.
    ///
    /// Making keys takes most of a store's first start, so tests that start many share them.
    package init(
        configuration: LocalAppStoreConfiguration, clock: any WallClock, logger: Logger,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority
    ) async throws {
        let database = try StoreDatabase(configuration.database)
        let (authority, storeClock) = try await database.writer.write { db in
            let clock = try StoreClock(base: clock, db)
            if let archive = try StoreSettings.authority.value(db) {
                return (try CertificateAuthority(archive: archive), clock)
            }
            let authority = try makeAuthority(clock.now)
            try StoreSettings.authority.set(try authority.archive, db)
            return (authority, clock)
        }
        rootsPEM = authority.rootsPEM
        roots = try TrustedRoots.apple(and: authority.rootsPEM, in: [Self.environment])
        ledger = StoreLedger(
            database: database,
            clock: storeClock,
            catalogue: configuration.catalogue,
            signer: StoreSigner(
                bundleID: configuration.bundleID, storefront: configuration.catalogue.storefront, authority: authority
            )
        )
        sharedSecret = configuration.sharedSecret
        self.logger = logger
        notifier = Notifier(ledger: ledger, retries: configuration.notificationRetries, logger: logger)
    }

    /// The store's time: the clock that it was given, and how far it was moved since (`ControlEndpoints.advance`).
    public var clock: any WallClock { ledger.clock }

    /// Says where notifications go: the full address of the server's intake; nil keeps them in the store.
    ///
    /// It is remembered.
    ///
    /// - Throws: An error when it is not an http or https address.
    public func setNotificationURL(_ url: String?) async throws {
        guard url.map({ NotificationAddress($0) != nil }) ?? true else { throw StoreError.notificationURLUnusable }
        try await ledger.write { db, _ in try StoreSettings.notificationURL.set(url, db) }
    }

    /// What has to run beside the application: it renews subscriptions and sends notifications while nobody asks.
    public var services: [any Service] {
        [StoreTicker(ledger: ledger, notifier: notifier, logger: logger)]
    }

    /// Sends every notification that is due now, and returns when each was answered, or as soon as one got no answer.
    ///
    /// What was not tried stays due.
    public func deliverNotifications() async throws {
        try await ledger.catchUp()
        try await notifier.deliver()
    }
}
