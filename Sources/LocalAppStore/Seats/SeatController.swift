import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the routes of the control API about the seats of subscriptions.
struct SeatController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.seats) { _, _, context in
            try await context.services.seats.seats(of: TransactionID(try context.parameter("transaction")))
        }
        router.deliveringNotifications
            .mount(ControlEndpoints.addSeatMember) { body, _, context in
                try await context.services.seats.join(body.account, TransactionID(try context.parameter("transaction")))
            }
            .mount(ControlEndpoints.removeSeatMember) { _, _, context in
                let account = AccountID(try context.parameter("account"))
                return try await context.services.seats.remove(account, TransactionID(try context.parameter("transaction")))
            }
            .mount(ControlEndpoints.releaseSeatClaims) { body, _, context in
                try await context.services.seats.release(
                    body.seatClaimIDs, of: TransactionID(try context.parameter("transaction")))
            }
    }
}
