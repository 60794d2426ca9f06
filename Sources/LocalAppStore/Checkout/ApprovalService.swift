import GRDB
import PurchaseModel
import StoreProtocol

/// The service that decides about pending payments: Ask to Buy and interrupted purchases.
struct ApprovalService: Sendable {
    let context: StoreContext
    let events: EventService
    let checkout: CheckoutService

    /// Returns all payments in a pending state, oldest first: `deferred` (pending Ask to Buy approval) or `interrupted`.
    func pendingPayments(_ state: PaymentRecord.State) async throws -> PendingPaymentsReply {
        let rows = try await context.read { db in
            try PaymentRecord.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM payments WHERE state = ? ORDER BY rowid"), arguments: [state.rawValue])
        }
        return PendingPaymentsReply(
            pending: rows.map { .init(payment: $0.id, account: $0.account, productID: $0.productID, quantity: $0.quantity) }
        )
    }

    /// Approves or declines a payment that is pending Ask to Buy approval; a repeated call changes nothing.
    ///
    /// - Throws: ``CheckoutError/paymentDecided`` if the payment has the opposite outcome, or ``CheckoutError/paymentRefused(_:)`` if the
    ///   approved purchase is refused.
    func decide(_ id: PaymentID, approve: Bool) async throws {
        try await transition(id, from: .deferred, to: approve ? .completed : .declined)
    }

    /// Completes an interrupted payment after the account resolved the issue; a repeated call changes nothing.
    ///
    /// - Throws: ``CheckoutError/paymentRefused(_:)`` if the purchase is refused.
    func resolve(_ id: PaymentID) async throws {
        try await transition(id, from: .interrupted, to: .completed)
    }

    private func transition(_ id: PaymentID, from before: PaymentRecord.State, to decision: PaymentRecord.State) async throws {
        try await context.transaction { db, now in
            try db.execute(
                sql: "UPDATE payments SET state = ? WHERE id = ? AND state = ?",
                arguments: [decision.rawValue, id.rawValue, before.rawValue]
            )
            let isNew = db.changesCount == 1
            guard let payment = try PaymentRecord.fetchOne(db, key: id.rawValue) else { throw CheckoutError.paymentUnknown }
            guard payment.state == decision else { throw CheckoutError.paymentDecided }
            guard isNew else { return }
            let event = EventRecord(
                date: now, kind: .decision, bundleID: payment.bundleID, account: payment.account, productID: payment.productID,
                detail: decision == .completed ? "completed" : "declined"
            )
            try events.insertEvent(event, db)
            guard decision == .completed else { return }
            do {
                let buyer = try Buyer(
                    payment.account, payment.bundleID, payment.device, payment.appVersion, in: context.apps, at: now, db)
                _ = try checkout.complete(try Sale(payment, by: buyer, db), at: now, db)
            } catch let refusal as PurchaseRefusal {
                throw CheckoutError.paymentRefused(refusal)
            }
        }
    }
}
