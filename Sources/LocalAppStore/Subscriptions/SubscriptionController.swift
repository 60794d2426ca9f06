import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes of the control API and of the device API about subscriptions.
struct SubscriptionController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.manageSubscription) { body, request, context in
            let services = try context.services
            return try await services.subscriptionActions.manage(body, by: try await services.sessions.session(of: request))
        }
        router.mount(ControlEndpoints.subscriptions) { _, _, context in
            try await context.services.subscriptionActions.subscriptions(of: AccountID(try context.parameter("account")))
        }
        router.deliveringNotifications.mount(ControlEndpoints.changeSubscription) { body, _, context in
            let transaction = TransactionID(try context.parameter("transaction"))
            return try await context.services.subscriptionActions.performAction(body, on: transaction)
        }
    }
}
