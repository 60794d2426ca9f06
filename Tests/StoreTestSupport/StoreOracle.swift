import GRDB
package import PurchaseModel

@testable package import LocalAppStore

/// Calculates the outcome of a history from the records of the store, which no signature, notification or order of messages affects.
///
/// The oracle uses nothing of what it checks: neither `EntitlementProjection` nor `CreditRule` nor the server's recorder.
package struct StoreOracle: Sendable {
    /// The customers of the developer's server by their accounts in the store.
    let customers: [AccountID: CustomerID]
    /// The credits for one unit of each product; other products have none.
    let credits: [ProductID: Int64]
    /// The accounts whose customers have the products of their memberships in groups.
    let members: Set<AccountID>

    /// Creates an oracle.
    ///
    /// - Parameters:
    ///   - customers: The customers of the developer's server by their accounts in the store.
    ///   - credits: The credits for one unit of each product.
    ///   - members: The accounts whose apps submit the transactions of memberships, which have no app account token.
    package init(customers: [AccountID: CustomerID], credits: [ProductID: Int64], members: Set<AccountID> = []) {
        self.customers = customers
        self.credits = credits
        self.members = members
    }

    /// Returns the outcome that the store's records state.
    package func outcomes(of store: LocalAppStore) async throws -> PurchaseOutcomes {
        let now = store.clock.now
        return try await store.context.read { db in
            var outcomes = PurchaseOutcomes()
            let transactions = try TransactionRecord.fetchAll(db, sql: "SELECT * FROM transactions ORDER BY rowid")
            for row in try SubscriptionRecord.fetchAll(db, sql: "SELECT * FROM subscriptions") {
                var purchase = Self.purchase(row.subscription)
                if row.subscription.isChargedAhead(at: now) {
                    let running = try TransactionRecord.currentPeriod(of: row.id, at: now, db)
                    let next = try TransactionRecord.newestPeriod(of: row.id, db)
                    if let running, let next, running.id != next.id { Self.change(&purchase, running: running, next: next) }
                }
                outcomes.purchases[row.id] = purchase
                let isMember = row.subscription.ownership == .assigned && members.contains(row.account)
                if row.purchaserTransactionID == nil || isMember { add(purchase, of: row.account, to: &outcomes) }
            }
            // The first transaction of any other product is the purchase; the others restore or repeat it.
            for row in transactions where row.type != .autoRenewable && row.id == row.originalID {
                let purchase = PurchaseOutcomes.Purchase(productID: row.productID, state: row.revokedAt == nil ? .owned : .revoked)
                outcomes.purchases[row.id] = purchase
                if row.purchaserTransactionID == nil { add(purchase, of: row.account, to: &outcomes) }
            }
            let charges = try ChargeRecord.fetchAll(db, sql: "SELECT * FROM charges")
            let charged = Set(charges.filter { $0.kind == "charge" }.map(\.transactionID))
            for row in transactions where charged.contains(row.id) || Self.isFreePeriod(row) {
                guard let customer = customers[row.account] else { continue }
                outcomes.balances[customer, default: 0] += credits(of: row)
            }
            return outcomes
        }
    }

    /// Whether a transaction is a period of a subscription without a price, such as of an introductory offer, which has no charge.
    private static func isFreePeriod(_ row: TransactionRecord) -> Bool {
        row.type == .autoRenewable && row.price == 0 && row.purchaserTransactionID == nil && [.purchase, .renewal].contains(row.kind)
    }

    private func add(_ purchase: PurchaseOutcomes.Purchase, of account: AccountID, to outcomes: inout PurchaseOutcomes) {
        guard let customer = customers[account], [.owned, .active, .gracePeriod].contains(purchase.state) else { return }
        outcomes.products[customer, default: []].insert(purchase.productID)
    }

    private static func purchase(_ subscription: Subscription) -> PurchaseOutcomes.Purchase {
        let product = subscription.productID
        // Within a commitment, a cancellation and a change of the product wait until its last charge.
        let isCommitted = subscription.period.commitment.map { $0.number < $0.count } ?? false
        let renews = subscription.autoRenews && subscription.unbundling != .expires
        let chosen = renews ? (subscription.pendingPlan ?? subscription.plan).productID : nil
        let next = isCommitted ? subscription.period.plan.productID : chosen
        return switch subscription.state {
        case .active: .init(productID: product, state: .active, until: subscription.paidUntil, renewsTo: next)
        case .gracePeriod(let until, _): .init(productID: product, state: .gracePeriod, until: until, renewsTo: next)
        case .billingRetry: .init(productID: product, state: .billingRetry)
        case .expired: .init(productID: product, state: .expired)
        case .revoked: .init(productID: product, state: .revoked)
        }
    }

    /// Changes the outcome of a subscription whose next period is paid and has not begun: the running period counts until then.
    private static func change(_ purchase: inout PurchaseOutcomes.Purchase, running: TransactionRecord, next: TransactionRecord) {
        guard running.revokedAt == nil else {
            purchase = .init(productID: running.productID, state: .revoked)
            return
        }
        guard next.revokedAt != nil || next.productID != running.productID else { return }
        purchase = .init(
            productID: running.productID, state: .active, until: next.purchaseDate,
            renewsTo: next.revokedAt == nil ? next.productID : nil)
    }

    /// The credits of a charged transaction without those that a refund revokes: all of them, or the refunded share, rounded down.
    private func credits(of row: TransactionRecord) -> Int64 {
        let credits = self.credits[row.productID, default: 0] * Int64(row.quantity)
        // A move to a bundle is no refund.
        guard row.revokedAt != nil, row.revocationReason != PurchaseRevocationReason.upgradedToBundle.rawValue else { return credits }
        let isProrated = row.revocationType == RevocationType.proratedRefund.rawValue
        return credits - credits * Int64(isProrated ? row.revocationPercentage ?? 100_000 : 100_000) / 100_000
    }
}
