import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API and of the device API about purchases and pending payments.
struct CheckoutController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.purchase) { body, request, context in
            let services = try context.services
            return try await services.checkout.buy(body, by: try await services.sessions.session(of: request))
        }
        router.mount(DeviceEndpoints.redeem) { body, request, context in
            let services = try context.services
            return try await services.offerCodes.redeem(body, by: try await services.sessions.session(of: request))
        }
        router.mount(ControlEndpoints.approvals) { _, _, context in
            try await context.services.approvals.pendingPayments(.deferred)
        }
        router.mount(ControlEndpoints.interruptions) { _, _, context in
            try await context.services.approvals.pendingPayments(.interrupted)
        }
        router.mount(ControlEndpoints.promote) { body, _, context in
            try await context.services.checkout.promote(body)
            return Empty()
        }
        router.deliveringNotifications
            .mount(ControlEndpoints.buy) { body, _, context in
                try await context.services.checkout.buy(body)
            }
            .mount(ControlEndpoints.decideApproval) { body, _, context in
                try await context.services.approvals.decide(PaymentID(try context.parameter("payment")), approve: body.approve)
                return Empty()
            }
            .mount(ControlEndpoints.resolveInterruption) { _, _, context in
                try await context.services.approvals.resolve(PaymentID(try context.parameter("payment")))
                return Empty()
            }
    }
}
