package import Foundation
import GRDB
package import PurchaseModel
package import PurchaseProtocol

/// The actions of test sessions that the control API does not have.
extension InProcessStore {
    /// An account's transactions, oldest first, followed by the pending payments.
    package func transactions(of account: AccountID) async throws -> [InProcessTransaction] {
        try await store.ledger.catchUp()
        return try await store.ledger.inProcessTransactions(of: account)
    }

    /// Approves or declines the pending payment with a number.
    package func decide(_ number: Int64, approve: Bool) async throws {
        guard let payment = try await store.ledger.waitingPayment(number) else { throw try await refusal(of: number) }
        guard payment.state == .deferred else { throw InProcessRefusal.unfit("It does not wait for a parent.") }
        try await translating { try await store.ledger.decide(payment.id, approve: approve) }
    }

    /// Continues an interrupted payment, or pays for an overdue renewal; the call has no effect on other transactions.
    package func resolve(_ number: Int64) async throws {
        try await store.ledger.catchUp()
        if let payment = try await store.ledger.waitingPayment(number) {
            guard payment.state == .interrupted else { throw InProcessRefusal.unfit("It has no issue.") }
            return try await translating { try await store.ledger.resolve(payment.id) }
        }
        try await translating { try await store.ledger.mend(TransactionID(String(number))) }
    }

    /// Refunds a transaction, including a transaction without a price.
    package func refund(_ number: Int64) async throws {
        if try await store.ledger.waitingPayment(number) != nil { throw InProcessRefusal.unfit("It was not charged.") }
        try await translating {
            try await store.ledger.refund(IssueRefund(transaction: TransactionID(String(number))), costless: true)
        }
    }

    /// Deletes a purchase with all resulting transactions, and returns the identifiers of the deleted transactions.
    package func delete(_ number: Int64, of account: AccountID) async throws -> [TransactionID] {
        if let payment = try await store.ledger.waitingPayment(number) {
            try await store.ledger.write { db, _ in
                try db.execute(sql: "DELETE FROM payments WHERE id = ?", arguments: [payment.id.rawValue])
            }
            return []
        }
        return try await translating { try await store.ledger.delete(TransactionID(String(number)), of: account) }
    }

    /// Performs an action on a transaction's subscription.
    package func act(_ action: SubscriptionRequest.Action, on number: Int64) async throws {
        try await store.ledger.catchUp()
        do {
            _ = try await store.ledger.act(SubscriptionRequest(action), on: TransactionID(String(number)))
        } catch StoreError.transactionUnknown {
            throw try await refusal(of: number)
        }
    }

    /// Performs an action on the account's subscription to a product.
    package func act(_ action: SubscriptionRequest.Action, on product: ProductID, of account: AccountID) async throws {
        try await store.ledger.catchUp()
        let rows = try await store.ledger.read { db in try SubscriptionRecord.all(of: account, db) }
        guard let row = rows.last(where: { $0.subscription.productID == product && $0.sharedFrom == nil }) else {
            throw InProcessRefusal.subscriptionUnknown
        }
        try await translating { _ = try await store.ledger.act(SubscriptionRequest(action), on: row.id) }
    }

    /// Makes a purchase outside the app.
    ///
    /// - Parameters:
    ///   - date: The purchase date; nil for now. A subscription renews from that date on.
    ///   - renews: Whether a purchased subscription has auto-renew enabled.
    package func buy(_ request: BuyRequest, at date: Timestamp?, renews: Bool) async throws -> PurchaseReply {
        let reply = try await translating { try await store.ledger.buy(request, at: date, renews: renews) }
        try await store.ledger.catchUp()
        return reply
    }

    /// Whether a payment is pending Ask to Buy approval or interrupted.
    package func isWaiting(_ payment: PaymentID) async throws -> Bool {
        let row = try await store.ledger.read { db in try PaymentRecord.first("id", payment.rawValue, db) }
        return row?.state == .deferred || row?.state == .interrupted
    }

    /// Sets the hosted content of a product; empty data removes the content.
    package func host(_ data: Data, version: String, of product: ProductID) async throws {
        try await translating {
            let app = store.ledger.apps.first
            guard !data.isEmpty else { return try await store.ledger.removeContent(of: product, in: app) }
            try await store.ledger.setContent(data, version: version, of: product, in: app)
        }
    }

    /// Replaces the catalog.
    package func set(_ catalog: Catalog) async throws {
        try await store.ledger.change(store.ledger.apps.first, catalog: catalog) { _ in }
    }

    /// Sets the time rate of subscriptions, and whether there is a billing grace period.
    package func set(timeRate: Int, grantsGrace: Bool) async throws {
        guard let pace = SubscriptionTimeRate(rawValue: timeRate) else { throw InProcessRefusal.unfit("There is no such time rate.") }
        try await store.ledger.set(pace: pace, grantsGrace: grantsGrace)
    }

    /// Refuses every purchase with a code of `SKError`; nil disables the failure.
    package func failPurchases(with code: Int?) async throws {
        try await control(ControlEndpoints.clearFaults, Empty())
        if let code { try await control(ControlEndpoints.setFault, Fault(.purchaseRefused(code: code))) }
    }

    /// The reason for which no action is possible on a number: the number is unknown, or belongs to another kind of record.
    private func refusal(of number: Int64) async throws -> InProcessRefusal {
        if try await store.ledger.waitingPayment(number) != nil { return .unfit("It waits to be settled.") }
        let known = try await store.ledger.read { db in try TransactionRecord.find(TransactionID(String(number)), db) }
        return known == nil ? .transactionUnknown : .unfit("This can't be done with that transaction.")
    }

    private func translating<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as StoreError {
            throw InProcessRefusal(error.wireError)
        }
    }
}
