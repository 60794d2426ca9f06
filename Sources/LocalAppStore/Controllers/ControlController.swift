import Hummingbird
import PurchaseModel
import WireServer

/// Answers people and tests; see `ControlEndpoints`.
struct ControlController<Context: RequestContext>: Sendable {
    let ledger: StoreLedger
    let notifier: Notifier

    func addRoutes(to router: Router<Context>) {
        router.mount(ControlEndpoints.openAccount) { body, _, _ in
            try await ledger.open(body)
            return Empty()
        }
        router.mount(ControlEndpoints.charges) { _, _, context in
            try await ledger.charges(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.card) { body, _, context in
            try await ledger.setCard(of: AccountID(try context.parameter("account")), works: body.works)
            await deliver()
            return Empty()
        }
        router.mount(ControlEndpoints.approvals) { _, _, _ in
            try await ledger.approvals()
        }
        router.mount(ControlEndpoints.decide) { body, _, context in
            try await ledger.decide(PaymentID(try context.parameter("payment")), approve: body.approve)
            await deliver()
            return Empty()
        }
        router.mount(ControlEndpoints.clock) { _, _, _ in
            ClockReply(now: ledger.clock.now)
        }
        router.mount(ControlEndpoints.advance) { body, _, _ in
            let now = try await ledger.advance(seconds: body.seconds)
            await deliver()
            return ClockReply(now: now)
        }
        router.mount(ControlEndpoints.refund) { body, _, _ in
            try await ledger.refund(body.transaction)
            await deliver()
            return Empty()
        }
        router.mount(ControlEndpoints.notifications) { _, _, _ in
            try await ledger.deliveries()
        }
    }

    /// Sends the notifications that a call caused before it is answered, so that whoever asks the server next finds it informed.
    ///
    /// What the call did is done and kept; a notification that does not arrive is tried again later.
    private func deliver() async {
        try? await notifier.deliver()
    }
}
