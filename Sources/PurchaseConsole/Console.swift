public import Hummingbird
import Logging
import PurchaseModel
package import PurchaseProtocol

/// Pages for the people who run a store or a server: what was bought, and what was announced, newest first.
///
/// The pages only read, and need no script, no cookie and no file beside the binary. They ask nobody who they are:
/// mount them in a group whose middleware lets only staff through, or listen on a loopback address.
public struct Console: Sendable {
    private let backoffice: any Backoffice
    private let limit: Int
    private let templates: PageTemplates

    /// Creates the pages of `backoffice`, each table with at most `limit` rows; throws only if an embedded template does not parse.
    package init(_ backoffice: any Backoffice, limit: Int = 50) throws {
        self.backoffice = backoffice
        self.limit = limit
        self.templates = try PageTemplates()
    }

    /// Mounts `GET /console`; a backoffice that throws is logged, and answered by a page with status 503 that tells nothing of the error.
    public func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.get("console") { _, context in
            do {
                return try await overview()
            } catch {
                context.logger.error("The console cannot read its backoffice.", metadata: ["error": "\(error)"])
                return templates.unavailable(title: backoffice.title)
            }
        }
    }

    private func overview() async throws -> HTMLPage {
        async let transactions = backoffice.transactions(limit: limit)
        async let notifications = backoffice.notifications(limit: limit)
        return try await templates.overview(
            title: backoffice.title,
            transactions: PageTable(transactions.map(TransactionRow.init), limit: limit),
            notifications: PageTable(notifications.map(NotificationRow.init), limit: limit)
        )
    }
}
