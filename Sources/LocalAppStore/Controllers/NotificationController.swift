import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Adds the routes of the control API that list, resend and trigger App Store Server Notifications; see `ControlEndpoints`.
struct NotificationController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.notifications) { _, _, context in
            try await context.ledger.deliveries()
        }
        router.mount(ControlEndpoints.notification) { _, _, context in
            try await context.ledger.details(of: try context.parameter("notification"))
        }
        router.mount(ControlEndpoints.resend) { _, _, context in
            let uuid = try context.parameter("notification")
            try await context.ledger.resend(uuid)
            try await context.store.notifier.deliverSoon()
            return try await context.ledger.details(of: uuid)
        }
        router.mount(ControlEndpoints.trigger) { body, _, context in
            let reply = try await context.ledger.trigger(body)
            try await context.store.notifier.deliverSoon()
            return reply
        }
    }
}
