package import Foundation
import GRDB
package import PurchaseModel
package import StoreProtocol
import Wire
import WireServer

/// The actions of test sessions (StoreKitTest) that the control API does not have.
extension InProcessStore {
    /// Returns an account's transactions, oldest first, followed by its pending payments.
    package func transactions(of account: AccountID) async throws -> [InProcessTransaction] {
        try await services.dueEvents.catchUp()
        return try await services.inProcess.inProcessTransactions(of: account)
    }

    /// Approves or declines a payment that is pending Ask to Buy approval.
    ///
    /// - Parameter number: The number of the pending payment in ``transactions(of:)``.
    /// - Throws: ``InProcessError`` if the payment does not exist or is not pending approval.
    package func decide(_ number: Int64, approve: Bool) async throws {
        guard let payment = try await services.inProcess.pendingPayment(number) else { throw try await refusal(of: number) }
        guard payment.state == .deferred else { throw InProcessError.invalidState("The payment is not pending Ask to Buy approval.") }
        try await mappingErrors { try await services.approvals.decide(payment.id, approve: approve) }
    }

    /// Resolves the issue of an interrupted payment or the billing issue of a subscription; the call has no effect on other transactions.
    ///
    /// - Parameter number: The number of the payment or the transaction in ``transactions(of:)``.
    package func resolve(_ number: Int64) async throws {
        try await services.dueEvents.catchUp()
        if let payment = try await services.inProcess.pendingPayment(number) {
            guard payment.state == .interrupted else { throw InProcessError.invalidState("The payment is not interrupted.") }
            return try await mappingErrors { try await services.approvals.resolve(payment.id) }
        }
        try await mappingErrors { try await services.inProcess.resolveBillingIssue(TransactionID(String(number))) }
    }

    /// Refunds a transaction, or revokes it if it has no price.
    ///
    /// - Throws: ``InProcessError`` if the transaction does not exist, is restored, or is a pending payment.
    package func refund(_ number: Int64) async throws {
        if try await services.inProcess.pendingPayment(number) != nil {
            throw InProcessError.invalidState("The payment is still pending, so there is no charge to refund.")
        }
        try await mappingErrors {
            _ = try await services.refunds.refund(IssueRefund(transactionID: TransactionID(String(number))), includesFree: true)
        }
    }

    /// Deletes a purchase with its renewals and restored transactions, and returns the identifiers of the deleted transactions.
    ///
    /// For a pending payment, the call deletes the payment and returns an empty array.
    package func delete(_ number: Int64, of account: AccountID) async throws -> [TransactionID] {
        if let payment = try await services.inProcess.pendingPayment(number) {
            try await store.context.transaction { db, _ in
                try db.execute(sql: "DELETE FROM payments WHERE id = ?", arguments: [payment.id.rawValue])
            }
            return []
        }
        return try await mappingErrors { try await services.inProcess.delete(TransactionID(String(number)), of: account) }
    }

    /// Performs an action, such as a renewal, on the subscription to which a transaction belongs.
    package func performAction(_ action: SubscriptionRequest.Action, on number: Int64) async throws {
        try await services.dueEvents.catchUp()
        do {
            _ = try await services.subscriptionActions.performAction(SubscriptionRequest(action), on: TransactionID(String(number)))
        } catch StoreError.transactionUnknown {
            throw try await refusal(of: number)
        }
    }

    /// Performs an action, such as a renewal, on the subscription to a product that an account purchased.
    ///
    /// - Throws: ``InProcessError/subscriptionUnknown`` if the account has no subscription to the product.
    package func performAction(_ action: SubscriptionRequest.Action, on product: ProductID, of account: AccountID) async throws {
        try await services.dueEvents.catchUp()
        let rows = try await store.context.read { db in try SubscriptionRecord.all(of: account, db) }
        guard let row = rows.last(where: { $0.subscription.productID == product && $0.purchaserTransactionID == nil }) else {
            throw InProcessError.subscriptionUnknown
        }
        try await mappingErrors { _ = try await services.subscriptionActions.performAction(SubscriptionRequest(action), on: row.id) }
    }

    /// Purchases a product for an account outside the app.
    ///
    /// - Parameters:
    ///   - date: The purchase date, if it is in the past; nil for the current date. A subscription renews from that date on.
    ///   - renews: Whether auto-renew stays enabled if the product is a subscription.
    package func buy(_ request: BuyRequest, at date: Timestamp?, renews: Bool) async throws -> PurchaseReply {
        let reply = try await mappingErrors { try await services.checkout.buy(request, at: date, renews: renews) }
        try await services.dueEvents.catchUp()
        return reply
    }

    /// Returns whether a payment is pending Ask to Buy approval or interrupted.
    package func isPending(_ payment: PaymentID) async throws -> Bool {
        let row = try await store.context.read { db in try PaymentRecord.first("id", payment.rawValue, db) }
        return row?.state == .deferred || row?.state == .interrupted
    }

    /// Sets the hosted content of a product of the first app; empty data removes the content.
    package func setContent(_ data: Data, version: String, of product: ProductID) async throws {
        try await mappingErrors {
            let app = store.context.apps.defaultBundleID
            guard !data.isEmpty else { return try await services.contents.removeContent(of: product, in: app) }
            try await services.contents.setContent(data, version: version, of: product, in: app)
        }
    }

    /// Replaces the catalog of the store's first app.
    package func set(_ catalog: Catalog) async throws {
        try await services.appSettings.change(store.context.apps.defaultBundleID, catalog: catalog) { _ in }
    }

    /// Sets the time rate of subscriptions, and whether subscriptions have a billing grace period.
    ///
    /// - Parameter timeRate: A raw value of `SKTestSession.TimeRate`; 0 is real time.
    package func set(timeRate: Int, billingGracePeriodIsEnabled: Bool) async throws {
        guard let timeRate = SubscriptionTimeRate(rawValue: timeRate) else {
            throw InProcessError.invalidState("The time rate is not a raw value of SKTestSession.TimeRate.")
        }
        try await services.inProcess.set(timeRate: timeRate, billingGracePeriodIsEnabled: billingGracePeriodIsEnabled)
    }

    /// Makes every purchase of a device fail with a code of `SKError`; nil lets purchases succeed again.
    package func failPurchases(with code: Int?) async throws {
        try await control(ControlEndpoints.clearFaults, Empty())
        if let code { try await control(ControlEndpoints.setFault, Fault(.purchaseRefused(code: code))) }
    }

    /// Returns the reason for which an action on the transaction with a number fails.
    ///
    /// The number is unknown, belongs to a pending payment, or belongs to a transaction for which the action is not possible.
    private func refusal(of number: Int64) async throws -> InProcessError {
        if try await services.inProcess.pendingPayment(number) != nil {
            return .invalidState("The payment is still pending, so the action is not possible.")
        }
        let known = try await store.context.read { db in try TransactionRecord.find(TransactionID(String(number)), db) }
        return known == nil ? .transactionUnknown : .invalidState("The action is not possible for this transaction in its current state.")
    }

    private func mappingErrors<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch let error as any StoreRefusal {
            throw InProcessError(error.wireError)
        }
    }
}
