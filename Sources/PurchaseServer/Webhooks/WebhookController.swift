import Hummingbird
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints that manage webhooks.
struct WebhookController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.webhooks) { _, _, context in try await context.webhooks().list() }
        router.mount(ServerEndpoints.createWebhook) { body, _, context in try await context.webhooks().create(body) }
        router.mount(ServerEndpoints.changeWebhook) { body, _, context in
            try await context.webhooks().change(try context.parameter("webhook"), body)
        }
        router.mount(ServerEndpoints.removeWebhook) { _, _, context in
            try await context.webhooks().remove(try context.parameter("webhook"))
        }
        router.mount(ServerEndpoints.rotateWebhookSecret) { body, _, context in
            try await context.webhooks().rotate(try context.parameter("webhook"), overlapSeconds: body.overlapSeconds)
        }
        router.mount(ServerEndpoints.resendWebhooks) { body, _, context in
            try await context.webhooks().resend(to: try context.parameter("webhook"), body)
        }
        router.mount(ServerEndpoints.deadLetters) { _, request, context in
            try await context.webhooks().deadLetters(of: try context.parameter("webhook"), after: try request.query("after"))
        }
    }
}

extension ServerContext {
    /// Returns the webhooks of the caller's app; only an operator manages them, because an endpoint receives the events of all customers.
    fileprivate func webhooks() throws -> WebhookService { try caller(.administer).app.webhooks }
}
