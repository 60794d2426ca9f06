import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes of the control API that list, resend and trigger App Store Server Notifications; see `ControlEndpoints`.
struct NotificationController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.notifications) { _, _, context in
            try await context.services.notifications.deliveries()
        }
        router.mount(ControlEndpoints.notification) { _, _, context in
            try await context.services.notifications.details(of: try context.parameter("notification"))
        }
        router.mount(ControlEndpoints.resend) { _, _, context in
            let uuid = try context.parameter("notification")
            try await context.services.notifications.resend(uuid)
            // The response states the result of the attempt, so the attempt precedes it.
            try await context.services.sender.deliverSoon()
            return try await context.services.notifications.details(of: uuid)
        }
        router.deliveringNotifications.mount(ControlEndpoints.trigger) { body, _, context in
            try await context.services.triggers.trigger(body)
        }
    }
}
