import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints for teams: multi-seat subscriptions whose members the app's backend invites.
struct TeamController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.teams) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.teams.list(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.team) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.teams.read(try context.team(), of: request.requiredCustomer(of: caller))
        }
        // Require only the scope of an app's key for changes, because a customer token limits the app to the token's customer.
        router.mount(ServerEndpoints.inviteMember) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.teams.invite(body, to: try context.team(), of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.withdrawInvitation) { _, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.teams.withdraw(
                try context.parameter("invitation"), from: try context.team(), of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.releaseMember) { _, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.teams.release(
                try context.parameter("invitation"), from: try context.team(), of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.claimSeat) { body, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.teams.claim(body, for: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.leaveTeam) { _, request, context in
            let caller = try context.caller(.submitPurchases)
            return try await caller.app.teams.leave(try context.team(), request.requiredCustomer(of: caller))
        }
    }
}

extension ServerContext {
    fileprivate func team() throws -> TransactionID { TransactionID(try parameter("team")) }
}
