import Hummingbird
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API and of the device API about transactions and their history.
struct TransactionController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(DeviceEndpoints.unfinished) { body, request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request, running: body.appVersion)
            return try await services.transactions.unfinished(of: session, after: body.paginationToken)
        }
        router.mount(DeviceEndpoints.finish) { body, request, context in
            let services = try context.services
            try await services.transactions.finish(body, of: try await services.sessions.session(of: request))
            return Empty()
        }
        router.mount(DeviceEndpoints.restore) { body, request, context in
            let services = try context.services
            return try await services.restores.restore(body, by: try await services.sessions.session(of: request))
        }
        router.mount(DeviceEndpoints.history) { body, request, context in
            let services = try context.services
            return try await services.histories.history(for: try await services.sessions.session(of: request), after: body.revision)
        }
        router.mount(DeviceEndpoints.appTransaction) { body, request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request, running: body.appVersion)
            return AppTransactionReply(signedAppTransaction: try await services.histories.appTransaction(for: session))
        }
        router.mount(ControlEndpoints.transactions) { _, _, context in
            try await context.services.histories.transactions(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.transaction) { _, _, context in
            try await context.services.histories.transaction(TransactionID(try context.parameter("transaction")))
        }
    }
}
