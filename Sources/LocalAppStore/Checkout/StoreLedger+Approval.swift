import GRDB
import PurchaseModel

extension StoreLedger {
    /// Payments that wait for a parent, oldest first.
    func approvals() async throws -> ApprovalsReply {
        let rows = try await read { db in
            try PaymentRow.fetchAll(db, sql: "SELECT * FROM payments WHERE state = 'deferred' ORDER BY rowid")
        }
        return ApprovalsReply(
            pending: rows.map { .init(payment: $0.id, account: $0.account, productID: $0.productID, quantity: $0.quantity) }
        )
    }

    /// Takes a parent's decision; the same decision again changes nothing.
    func decide(_ id: PaymentID, approve: Bool) async throws {
        try await write { db, now in
            let decision = approve ? PaymentRow.State.settled : .declined
            try db.execute(
                sql: "UPDATE payments SET state = ? WHERE id = ? AND state = 'deferred'",
                arguments: [decision.rawValue, id.rawValue]
            )
            let isNew = db.changesCount == 1
            guard let payment = try PaymentRow.fetchOne(db, key: id.rawValue) else { throw StoreError.approvalUnknown }
            guard payment.state == decision else { throw StoreError.approvalDecided }
            guard isNew, approve else { return }
            do {
                _ = try charge(try Sale(payment, catalogue: catalogue, db), for: payment, at: now, db)
            } catch let refusal as PurchaseRefusal {
                throw StoreError.approvalRefused(refusal)
            }
        }
    }
}
