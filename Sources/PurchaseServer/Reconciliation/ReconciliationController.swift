import Hummingbird
import PurchaseModel
import PurchaseStorage
import Wire
import WireServer

/// The endpoint with which an operator reconciles an app with the App Store on demand.
struct ReconciliationController: Sendable {
    /// A request to reconcile an app now.
    struct Request: Codable, Hashable, Sendable {
        /// The earliest signature date of the notifications to request; nil for the notifications since the last complete run.
        var since: Timestamp?
    }

    static let endpoint = Endpoint<Request, ReconciliationReport>(.post, "/v1/reconciliations")

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(Self.endpoint) { body, _, context in
            guard let service = try context.caller(.administer).app.appStore?.reconciliation else {
                throw ReconciliationRefusal.notConfigured
            }
            return try await service.reconcile(since: body.since)
        }
    }
}
