public import Hummingbird
import Logging
import PurchaseModel
public import ServerProtocol

/// A web page that shows the newest transactions and notifications of a store or a server.
///
/// The page is read-only, and requires no scripts, cookies or external files. The page does not authenticate users: add its route to a
/// group with authenticating middleware, or listen on a loopback address.
public struct Console: Sendable {
    private let backoffice: any Backoffice
    private let limit: Int
    /// The address of the page of the local store that the server uses; nil without a local store.
    private let store: String?
    private let templates: PageTemplates

    /// Creates the page, which reads its data from `backoffice` and has at most `limit` rows in each table.
    ///
    /// - Parameters:
    ///   - backoffice: The source of the tables, such as a `PurchaseServer`.
    ///   - limit: The maximum number of rows in each table.
    ///   - store: The address of the page of the local store that the server uses, to which this page links; nil for no link.
    /// - Throws: An error of the template parser if an embedded template is invalid.
    public init(_ backoffice: any Backoffice, limit: Int = 50, store: String? = nil) throws {
        self.backoffice = backoffice
        self.limit = limit
        self.store = store
        self.templates = try PageTemplates()
    }

    /// Adds the route `GET /console`; if the data can't be read, the route logs the error and responds with status 503.
    public func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.get("console") { _, context in
            do {
                return try await overview()
            } catch {
                context.logger.error("The console can't read transactions and notifications.", metadata: ["error": "\(error)"])
                return templates.unavailable(title: backoffice.title)
            }
        }
    }

    private func overview() async throws -> HTMLPage {
        async let transactions = backoffice.transactions(limit: limit)
        async let notifications = backoffice.notifications(limit: limit)
        return try await templates.overview(
            title: backoffice.title,
            store: store,
            transactions: PageTable(transactions.map(TransactionRow.init), limit: limit),
            notifications: PageTable(notifications.map(NotificationRow.init), limit: limit)
        )
    }
}
