import GRDB
public import Logging
public import PurchaseModel
import PurchaseProof
package import PurchaseProtocol
public import ServiceLifecycle

/// The developer's purchase server: it verifies and stores purchases, and delivers their content.
///
/// The stored purchases are signed by the store and verified. A customer's identifier is a UUID that only the app and its backend
/// know; it authorizes reading and debiting the customer's balance.
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
    /// - Throws: ``ConfigurationError``, with the required change of the configuration.
    public init(configuration: PurchaseServerConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger) async throws {
        try configuration.validate()
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        revocation = Self.revocation(configuration.revocation, clock: clock)
        folder = ContentFolder(path: configuration.contentFolder)
        storage = try Self.open(configuration.database)
        office = TicketOffice(key: try await storage.ticketKey(candidate: TicketOffice.newKey()))
        for product in configuration.products where product.file != nil && !folder.holdsFile(of: product) {
            logger.warning("a product's file is not in the content folder", metadata: ["product": "\(product.id)"])
        }
    }

    /// The services to run together with ``application(hostname:port:isLocal:onServerRunning:addRoutes:)`` in the same service group.
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

    /// The newest purchases, newest first, at most `limit`.
    package func transactions(limit: Int) async throws -> [BackofficeTransaction] {
        try await storage.transactions(limit: limit, at: clock.now)
    }

    /// The newest notifications, newest first, at most `limit`.
    package func notifications(limit: Int) async throws -> [BackofficeNotification] {
        try await storage.notifications(limit: limit)
    }
}
