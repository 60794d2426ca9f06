import Foundation
import Hummingbird
import PurchaseModel
import WireServer

/// Answers people and tests; see `ControlEndpoints`.
struct ControlController<Context: RequestContext>: Sendable {
    let ledger: StoreLedger

    func addRoutes(to router: Router<Context>) {
        router.mount(ControlEndpoints.openAccount) { body, _, _ in
            try await ledger.open(body)
            return Empty()
        }
        router.mount(ControlEndpoints.charges) { _, _, context in
            try await ledger.charges(of: AccountID(try parameter("account", of: context)))
        }
        router.mount(ControlEndpoints.card) { body, _, context in
            try await ledger.setCard(of: AccountID(try parameter("account", of: context)), works: body.works)
            return Empty()
        }
        router.mount(ControlEndpoints.approvals) { _, _, _ in
            try await ledger.approvals()
        }
        router.mount(ControlEndpoints.decide) { body, _, context in
            try await ledger.decide(PaymentID(try parameter("payment", of: context)), approve: body.approve)
            return Empty()
        }
        router.mount(ControlEndpoints.clock) { _, _, _ in
            ClockReply(now: ledger.clock.now)
        }
        router.mount(ControlEndpoints.advance) { body, _, _ in
            ClockReply(now: try await ledger.advance(seconds: body.seconds))
        }
        router.mount(ControlEndpoints.refund) { body, _, _ in
            try await ledger.refund(body.transaction)
            return Empty()
        }
        router.mount(ControlEndpoints.notifications) { _, _, _ in
            try await ledger.deliveries()
        }
    }

    /// A parameter of the path; the router hands it on percent-encoded.
    private func parameter(_ name: String, of context: Context) throws -> String {
        guard let value = try context.parameters.require(name).removingPercentEncoding else { throw StoreError.unusable(field: name) }
        return value
    }
}
