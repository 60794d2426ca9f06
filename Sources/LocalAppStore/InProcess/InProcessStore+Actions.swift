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
        guard let payment = try await store.ledger.pendingPayment(number) else { throw try await refusal(of: number) }
        guard payment.state == .deferred else { throw InProcessError.invalidState("The payment is not pending approval.") }
        try await mappingErrors { try await store.ledger.decide(payment.id, approve: approve) }
    }

    /// Continues an interrupted payment, or pays for an overdue renewal; the call has no effect on other transactions.
    package func resolve(_ number: Int64) async throws {
        try await store.ledger.catchUp()
        if let payment = try await store.ledger.pendingPayment(number) {
            guard payment.state == .interrupted else { throw InProcessError.invalidState("The payment is not interrupted.") }
            return try await mappingErrors { try await store.ledger.resolve(payment.id) }
        }
        try await mappingErrors { try await store.ledger.resolveBillingIssue(TransactionID(String(number))) }
    }

    /// Refunds a transaction, including a transaction without a price.
    package func refund(_ number: Int64) async throws {
        if try await store.ledger.pendingPayment(number) != nil {
            throw InProcessError.invalidState("The payment is pending, so it has no charge.")
        }
        try await mappingErrors {
            try await store.ledger.refund(IssueRefund(transactionID: TransactionID(String(number))), includesFree: true)
        }
    }

    /// Deletes a purchase with all resulting transactions, and returns the identifiers of the deleted transactions.
    package func delete(_ number: Int64, of account: AccountID) async throws -> [TransactionID] {
        if let payment = try await store.ledger.pendingPayment(number) {
            try await store.ledger.write { db, _ in
                try db.execute(sql: "DELETE FROM payments WHERE id = ?", arguments: [payment.id.rawValue])
            }
            return []
        }
        return try await mappingErrors { try await store.ledger.delete(TransactionID(String(number)), of: account) }
    }

    /// Performs an action on a transaction's subscription.
    package func performAction(_ action: SubscriptionRequest.Action, on number: Int64) async throws {
        try await store.ledger.catchUp()
        do {
            _ = try await store.ledger.performAction(SubscriptionRequest(action), on: TransactionID(String(number)))
        } catch StoreError.transactionUnknown {
            throw try await refusal(of: number)
        }
    }

    /// Performs an action on the account's subscription to a product.
    package func performAction(_ action: SubscriptionRequest.Action, on product: ProductID, of account: AccountID) async throws {
        try await store.ledger.catchUp()
        let rows = try await store.ledger.read { db in try SubscriptionRecord.all(of: account, db) }
        guard let row = rows.last(where: { $0.subscription.productID == product && $0.purchaserTransactionID == nil }) else {
            throw InProcessError.subscriptionUnknown
        }
        try await mappingErrors { _ = try await store.ledger.performAction(SubscriptionRequest(action), on: row.id) }
    }

    /// Makes a purchase outside the app.
    ///
    /// - Parameters:
    ///   - date: The purchase date; nil for now. A subscription renews from that date on.
    ///   - renews: Whether a purchased subscription has auto-renew enabled.
    package func buy(_ request: BuyRequest, at date: Timestamp?, renews: Bool) async throws -> PurchaseReply {
        let reply = try await mappingErrors { try await store.ledger.buy(request, at: date, renews: renews) }
        try await store.ledger.catchUp()
        return reply
    }

    /// Whether a payment is pending Ask to Buy approval or interrupted.
    package func isPending(_ payment: PaymentID) async throws -> Bool {
        let row = try await store.ledger.read { db in try PaymentRecord.first("id", payment.rawValue, db) }
        return row?.state == .deferred || row?.state == .interrupted
    }

    /// Sets the hosted content of a product; empty data removes the content.
    package func setContent(_ data: Data, version: String, of product: ProductID) async throws {
        try await mappingErrors {
            let app = store.ledger.apps.defaultBundleID
            guard !data.isEmpty else { return try await store.ledger.removeContent(of: product, in: app) }
            try await store.ledger.setContent(data, version: version, of: product, in: app)
        }
    }

    /// Replaces the catalog.
    package func set(_ catalog: Catalog) async throws {
        try await store.ledger.change(store.ledger.apps.defaultBundleID, catalog: catalog) { _ in }
    }

    /// Sets the time rate of subscriptions, and whether there is a billing grace period.
    package func set(timeRate: Int, billingGracePeriodIsEnabled: Bool) async throws {
        guard let timeRate = SubscriptionTimeRate(rawValue: timeRate) else {
            throw InProcessError.invalidState("The time rate is not a rate of .storekit files.")
        }
        try await store.ledger.set(timeRate: timeRate, billingGracePeriodIsEnabled: billingGracePeriodIsEnabled)
    }

    /// Refuses every purchase with a code of `SKError`; nil disables the failure.
    package func failPurchases(with code: Int?) async throws {
        try await control(ControlEndpoints.clearFaults, Empty())
        if let code { try await control(ControlEndpoints.setFault, Fault(.purchaseRefused(code: code))) }
    }

    /// The reason for which no action is possible on a number: the number is unknown, or belongs to another kind of record.
    private func refusal(of number: Int64) async throws -> InProcessError {
        if try await store.ledger.pendingPayment(number) != nil { return .invalidState("The payment is pending.") }
        let known = try await store.ledger.read { db in try TransactionRecord.find(TransactionID(String(number)), db) }
        return known == nil ? .transactionUnknown : .invalidState("The action is not possible for this transaction.")
    }

    private func mappingErrors<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch let error as StoreError {
            throw InProcessError(error.wireError)
        }
    }
}
