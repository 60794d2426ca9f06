import Foundation
import GRDB
public import Logging
public import PurchaseModel
import PurchaseProof
package import PurchaseProtocol
public import ServiceLifecycle

/// The developer's purchase server, which verifies and records purchases, and delivers their credits and content.
///
/// The server stores only purchases that the App Store signed and that it verified. A customer's identifier is a UUID that only the app
/// and its backend know; a request with it can read and debit the customer's balance.
public final class PurchaseServer: Sendable {
    let configuration: PurchaseServerConfiguration
    let clock: any WallClock
    let logger: Logger
    let revocation: Revocation
    let storage: any PurchaseStorage
    let office: TicketOffice
    let folder: ContentFolder

    /// Validates the configuration, opens the database, and migrates its tables.
    ///
    /// - Throws: ``ConfigurationError`` if the configuration is invalid, or the database can't be opened.
    public init(configuration: PurchaseServerConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger) async throws {
        try configuration.validate()
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        revocation = Self.revocation(configuration.revocation, clock: clock)
        folder = ContentFolder(path: configuration.contentFolder)
        storage = try Self.open(configuration.database)
        office = TicketOffice(key: try await Self.ticketKey(configuration.bundleID, storage))
        for product in configuration.products where product.file != nil && !folder.holdsFile(of: product) {
            logger.warning("a product's file is missing in the content folder; add the file", metadata: ["product": "\(product.id)"])
        }
    }

    /// The background services that must run in the same service group as
    /// ``application(hostname:port:isLocal:onServerRunning:addRoutes:)``.
    public var services: [any Service] {
        switch revocation {
        case .off: []
        case .soft(let checker), .hard(let checker): [RevocationService(checker: checker)]
        }
    }

    private static func revocation(_ mode: RevocationMode, clock: any WallClock) -> Revocation {
        switch mode {
        case .off: .off
        case .soft: .soft(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        case .hard: .hard(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        }
    }

    /// Returns the HMAC key of download tokens, which the first start of a server stores.
    private static func ticketKey(_ app: BundleID, _ storage: any PurchaseStorage) async throws -> [UInt8] {
        let name = "ticket-key"
        let candidate = TicketOffice.newKey()
        return try await storage.write(app) { records in
            if let key = try records.secret(name) { return [UInt8](key) }
            try records.put(Data(candidate), named: name)
            return candidate
        }
    }

    private static func open(_ location: DatabaseLocation) throws(ConfigurationError) -> any PurchaseStorage {
        do {
            return try SQLitePurchaseStorage(location)
        } catch let error as ConfigurationError {
            throw error
        } catch {
            let reason = (error as? DatabaseError).map(\.resultCode.description) ?? "\(type(of: error))"
            switch location {
            case .memory: throw .database(path: ":memory:", reason: reason)
            case .file(let path): throw .database(path: path, reason: reason)
            }
        }
    }
}

extension PurchaseServer: Backoffice {
    /// The title of the console's pages.
    package var title: String { "Purchase server" }

    /// Returns at most `limit` purchases, newest first.
    package func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        let now = clock.now
        return try await storage.read(configuration.bundleID) { records in
            try records.latestTransactions(limit: limit).map { event in
                let transaction = event.transaction
                let purchase = try records.purchase(transaction.originalTransactionId)
                return BackofficeTransaction(
                    date: transaction.purchaseDate, id: transaction.transactionId, productID: transaction.productId,
                    quantity: transaction.quantity, owner: purchase?.customer?.rawValue ?? "",
                    state: purchase?.entitlement.access(at: now).state.rawValue ?? "")
            }
        }
    }

    /// Returns at most `limit` notifications, newest first.
    package func notifications(limit: Int) async throws -> [BackofficeNotification] {
        try await storage.read(configuration.bundleID) { records in
            try records.latestNotifications(limit: limit).map { notification in
                BackofficeNotification(
                    date: notification.signedDate, uuid: notification.uuid, kind: notification.kind,
                    state: notification.hasTransaction ? "applied" : "stored")
            }
        }
    }
}
