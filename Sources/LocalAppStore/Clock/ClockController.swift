import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes of the control API about the store's time.
struct ClockController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.clock) { _, _, context in
            try await context.services.time.time()
        }
        router.mount(ControlEndpoints.schedule) { _, request, context in
            try await context.services.time.schedule(of: try request.query("account").map { AccountID($0) })
        }
        router.deliveringNotifications
            .mount(ControlEndpoints.advance) { body, _, context in
                try await context.services.time.advance(seconds: body.seconds, isContinuation: body.isContinuation == true)
            }
            .mount(ControlEndpoints.setClock) { body, _, context in
                try await context.services.time.set(body)
            }
    }
}
