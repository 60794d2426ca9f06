package import AppStoreServerAPI
public import Foundation
import GRDB
import LibPQ
public import Logging
import MessageSignatures
public import PurchaseModel
import PurchaseProof
public import PurchaseStorage
public import ServerProtocol
public import ServiceLifecycle

/// The developer's purchase server, which verifies and records purchases, and delivers their credits and content.
///
/// The server stores only purchases with a verified signature of the App Store. An API key identifies the caller of a request, and a
/// customer token identifies the customer of an app.
public final class PurchaseServer: Sendable {
    let resources: ServerResources
    package let apps: Apps
    /// The warnings in the log and in `/readyz` about apps without access to the App Store.
    let reminder: AppStoreAccessReminder
    package var configuration: PurchaseServerConfiguration { resources.configuration }
    package var storage: any PurchaseStorage { resources.storage }
    package var clock: any WallClock { resources.clock }
    package var transportClock: any WallClock { resources.transportClock }
    package var timer: any Clock<Duration> { resources.timer }
    var logger: Logger { resources.logger }

    /// Validates the configuration, opens the database, and migrates its tables.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - clock: The clock by which entitlements expire, such as the clock of a local store with an advanced time.
    ///   - transportClock: The clock of the dates in signed answers and in tokens for the App Store; other machines compare the dates with
    ///     their clocks.
    ///   - timer: The clock of the pauses between requests to the App Store, and between runs of background services.
    ///   - logger: The log.
    /// - Throws: ``ConfigurationError`` if the configuration is invalid, or the database can't be opened.
    public convenience init(
        configuration: PurchaseServerConfiguration, clock: any WallClock = SystemWallClock(),
        transportClock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) async throws {
        try await self.init(
            configuration: configuration, clock: clock, transportClock: transportClock, timer: timer, logger: logger, comparison: nil)
    }

    /// Validates the configuration, opens the database, and migrates its tables.
    ///
    /// - Parameter comparison: A closure that counts the customers who lose entitlements when the product files change; nil to report the
    ///   products only.
    package convenience init(
        configuration: PurchaseServerConfiguration, clock: any WallClock = SystemWallClock(),
        transportClock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(), logger: Logger,
        comparison: CatalogComparison?
    ) async throws {
        try configuration.validate()
        let storage = try await Self.open(configuration.database, isDestination: false)
        try await self.init(
            configuration: configuration, storage: storage, clock: clock, transportClock: transportClock, timer: timer, logger: logger,
            comparison: comparison)
    }

    /// Validates the configuration, and uses a storage in place of the configuration's database.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, whose ``PurchaseServerConfiguration/database`` is not opened.
    ///   - storage: The storage, with the guarantees that `PurchaseStorageTesting` checks.
    ///   - clock: The clock by which entitlements expire, such as the clock of a local store with an advanced time.
    ///   - transportClock: The clock of the dates in signed answers and in tokens for the App Store.
    ///   - timer: The clock of the pauses between requests to the App Store, and between runs of background services.
    ///   - logger: The log.
    /// - Throws: ``ConfigurationError`` if the configuration is invalid, or an error of the storage.
    public convenience init(
        configuration: PurchaseServerConfiguration, storage: any PurchaseStorage, clock: any WallClock = SystemWallClock(),
        transportClock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) async throws {
        try await self.init(
            configuration: configuration, storage: storage, clock: clock, transportClock: transportClock, timer: timer, logger: logger,
            comparison: nil)
    }

    /// Validates the configuration, and creates the server with a transport to the App Store Server API.
    ///
    /// - Parameter comparison: A closure that counts the customers who lose entitlements when the product files change; nil to report the
    ///   products only.
    package init(
        configuration: PurchaseServerConfiguration, storage: any PurchaseStorage,
        appStore: any ServerAPITransport = HTTPServerAPITransport(), clock: any WallClock = SystemWallClock(),
        transportClock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(), logger: Logger,
        comparison: CatalogComparison?
    ) async throws {
        try configuration.validate()
        let resources = try ServerResources(
            configuration: configuration, storage: storage, appStore: appStore, clock: clock, transportClock: transportClock, timer: timer,
            logger: logger, comparison: comparison)
        self.resources = resources
        var apps: [AppServices] = []
        do {
            for app in configuration.apps { apps.append(try await AppServices(app, of: resources)) }
        } catch is SecretError {
            throw ConfigurationError.secretKeyFile(path: configuration.secretKeyPath ?? "")
        }
        self.apps = Apps(apps)
        for app in configuration.apps where app.transactionConfirmation == .soft && app.appStoreServerAPI == nil {
            logger.warning(
                """
                confirm-transactions is soft, but no transaction is confirmed without a key of the App Store Server API. Set \
                app-store-server-api.issuer-id, app-store-server-api.key-id and app-store-server-api.private-key-file, or set \
                confirm-transactions to off.
                """, metadata: ["app": "\(app.bundleID)"])
        }
        for app in apps { try await Self.begin(app, metrics: resources.metrics) }
        reminder = AppStoreAccessReminder(apps: configuration.appsWithoutAppStore, timer: timer, logger: logger)
        reminder.log()
    }

    /// Creates the series of an app's metrics, with the dates that the database states.
    private static func begin(_ app: AppServices, metrics: ServerMetrics) async throws {
        let environment = app.appStore?.connection.environment
        let (notification, reconciliation) = try await app.storage.read(app.id) { records in
            (
                try records.latestNotifications(limit: 1).first?.receivedAt,
                try environment.flatMap { try records.reconciliation(in: $0)?.completedAt }
            )
        }
        metrics.begin(
            app.id, latestNotification: notification, latestReconciliation: reconciliation, reconciles: app.appStore != nil)
    }

    /// The background services that must run in the same service group as
    /// ``application(hostname:port:isLocal:onServerRunning:addRoutes:)``.
    public var services: [any Service] {
        var services: [any Service] = [
            CatalogRefreshService(catalogs: apps.all.map(\.catalog), timer: timer, logger: logger),
            UnknownNotificationService(receivers: apps.all.map(\.notifications), logger: logger),
            FeedBackgroundService(feeds: apps.all.map(\.feed), timer: timer, logger: logger),
            WebhookBackgroundService(senders: apps.all.map { ($0.webhookSender, $0.feed) }, timer: timer, logger: logger),
        ]
        switch resources.revocation {
        case .off: break
        case .soft(let checker), .hard(let checker): services.append(RevocationService(checker: checker))
        }
        if !reminder.apps.isEmpty { services.append(reminder) }
        return services + reconciliationSchedules + apps.all.compactMap(\.appStore?.requests) + apps.all.compactMap(\.appStore?.teamChecks)
    }

    /// Returns the service that manages the API keys of an app; nil for an app that is not configured.
    public func apiKeys(of app: BundleID) -> APIKeyService? {
        apps[app].map { APIKeyService(app: $0.id, storage: storage, clock: clock) }
    }

    /// Returns the webhooks of an app; nil for an app that is not configured.
    package func webhooks(of app: BundleID) -> WebhookService? { apps[app]?.webhooks }

    /// Returns the publisher of an app's content; nil for an app that is not configured.
    public func contentPublisher(of app: BundleID) -> ContentPublisher? {
        apps[app].map { ContentPublisher($0.content.library, clock: transportClock) }
    }

    /// Encrypts the secrets of all apps with a new key.
    ///
    /// The earlier keys stay in the key file, because earlier backups need them. Rotations of several processes run one after another. If
    /// the process is killed during the rotation, the key file contains all keys in use, and the call can be repeated. A rotation also
    /// replaces the key of download tokens; the tokens of the previous key stay valid until they expire.
    ///
    /// - Parameter removingEarlierKeys: Whether the earlier keys are removed; without the earlier keys, the file can't decrypt the secrets
    ///   of earlier backups.
    /// - Throws: `StorageError`, such as `StorageError.locked` if another rotation takes too long, or ``ConfigurationError``.
    public func rotateSecretKey(removingEarlierKeys: Bool = false) async throws -> SecretRotation {
        do {
            // Remove earlier keys first, so that a full file has space for the new key.
            if removingEarlierKeys { _ = try await resources.cipher.removeEarlierKeys(in: storage) }
            for app in apps.all { try await app.content.tokens.rotate() }
            let count = try await resources.cipher.encryptAgain(in: storage)
            let earlierKeys =
                removingEarlierKeys ? try await resources.cipher.removeEarlierKeys(in: storage) : resources.cipher.keyCount - 1
            return SecretRotation(encryptedSecrets: count, earlierKeys: earlierKeys)
        } catch is SecretError {
            throw ConfigurationError.secretKeyFile(path: configuration.secretKeyPath ?? "")
        }
    }

    /// Returns the public keys with which an app verifies signed answers and leases, as a JWK set (RFC 7517).
    public func verificationKeys(of app: BundleID) -> Data? { apps[app]?.answers.verificationKeys.jwks }

    /// Returns the sums of an app's ledger accounts; nil for an app that is not configured.
    ///
    /// The cost grows with the ledger.
    public func auditLedger(of app: BundleID) async throws -> LedgerAudit? {
        try await apps[app]?.ledger.audit()
    }

    /// Opens a database, and creates or migrates its tables.
    ///
    /// - Parameter isDestination: Whether the method accepts the destination of an unfinished copy.
    package static func open(
        _ database: PurchaseDatabase, isDestination: Bool = true
    ) async throws(ConfigurationError) -> any SQLPurchaseStorage {
        do {
            let (storage, isUnfinished): (any SQLPurchaseStorage, Bool)
            switch database {
            case .memory: return try SQLitePurchaseStorage(.memory)
            case .file(let path):
                let file = try SQLitePurchaseStorage(.file(path))
                (storage, isUnfinished) = (file, try await file.hasTable(CopyProgressTable.name))
            case .postgres(let database):
                let postgres = try await PostgresPurchaseStorage(database)
                (storage, isUnfinished) = (postgres, try await postgres.hasTable(CopyProgressTable.name))
            }
            guard isDestination || !isUnfinished else { throw ConfigurationError.unfinishedCopy }
            return storage
        } catch let error as ConfigurationError {
            throw error
        } catch let error as SchemaError {
            throw .schema(error)
        } catch {
            let reason = (error as? DatabaseError).map(\.resultCode.description) ?? "\(type(of: error))"
            switch database {
            case .memory: throw .database(path: ":memory:", reason: reason)
            case .file(let path): throw .database(path: path, reason: reason)
            case .postgres:
                guard let error = error as? PostgresError else { throw .postgres(reason: reason) }
                // Report a maintenance command's lock or a full disk as `postgresUnavailable`, because the configuration may be valid.
                throw error.concernsOtherStatements
                    ? .postgresUnavailable(reason: error.description) : .postgres(reason: error.description)
            }
        }
    }
}

extension PurchaseServer: Backoffice {
    /// The title of the console's pages.
    public var title: String { "Purchase server" }

    /// Returns at most `limit` purchases of all apps, newest first.
    public func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        let now = clock.now
        var transactions: [BackofficeTransaction] = []
        for app in apps.all {
            transactions += try await storage.read(app.id) { records in
                // The purchases whose newest transaction is already listed. Any further transaction of a purchase is an earlier period,
                // which may have
                // ended while the purchase still gives access.
                var seen: Set<TransactionID> = []
                return try records.latestTransactions(limit: limit).map { event in
                    let transaction = event.transaction
                    let purchase = try records.purchase(transaction.originalTransactionId)
                    let isNewest = seen.insert(transaction.originalTransactionId).inserted
                    let hasEnded = !isNewest && transaction.expiresDate.map { $0 <= now } ?? false
                    let present = purchase?.timeline.entitlement(at: now).access(at: now).state
                    let state = transaction.isRevoked ? .revoked : hasEnded ? .expired : present
                    return BackofficeTransaction(
                        date: transaction.purchaseDate, id: transaction.transactionId, productID: transaction.productId,
                        quantity: transaction.quantity, owner: purchase?.customer?.rawValue ?? "",
                        state: state?.rawValue ?? "")
                }
            }
        }
        return Array(transactions.sorted { $0.date > $1.date }.prefix(limit))
    }

    /// Returns at most `limit` notifications of all apps, newest first.
    public func notifications(limit: Int) async throws -> [BackofficeNotification] {
        var notifications: [BackofficeNotification] = []
        for app in apps.all {
            notifications += try await storage.read(app.id) { records in
                try records.latestNotifications(limit: limit).map { notification in
                    BackofficeNotification(
                        date: notification.signedDate, uuid: notification.uuid, kind: notification.kind,
                        state: notification.hasTransaction ? "applied" : "stored")
                }
            }
        }
        return Array(notifications.sorted { $0.date > $1.date }.prefix(limit))
    }
}
