import GRDB
import PurchaseModel

/// The dates of the next scheduled changes of subscriptions.
struct SubscriptionSchedule: Equatable {
    /// The date of the next renewal; nil if no active subscription renews automatically.
    private(set) var renewal: Timestamp?
    /// The date when the next billing grace period ends; nil if no subscription is in a grace period.
    private(set) var gracePeriodEnd: Timestamp?

    /// Whether further subscriptions in the order of their ``Subscription/nextRenewalDate`` can't change the schedule.
    var isComplete: Bool { renewal != nil && gracePeriodEnd != nil }

    /// Adds the next change of a subscription, if it is a renewal or the end of a grace period.
    ///
    /// A renewal that the payment method will decline counts, because its declined charge begins the grace period. The end of an active
    /// subscription that does not renew does not count.
    mutating func add(_ subscription: Subscription) {
        switch subscription.state {
        case .active where subscription.willAutoRenew:
            guard let date = subscription.nextRenewalDate else { break }
            renewal = min(renewal ?? date, date)
        case .gracePeriod(let until, _): gracePeriodEnd = min(gracePeriodEnd ?? until, until)
        case .active, .billingRetry, .expired, .revoked: break
        }
    }
}

extension SubscriptionSchedule {
    /// Returns the schedule of an account's subscriptions, or of all subscriptions if `account` is nil.
    static func read(of account: AccountID?, _ db: Database) throws -> SubscriptionSchedule {
        var schedule = SubscriptionSchedule()
        if let account {
            // The column is nil for a Family Sharing entitlement, which changes with the purchaser's subscription.
            for row in try SubscriptionRecord.all(of: account, db) where row.nextRenewalDate != nil { schedule.add(row.subscription) }
            return schedule
        }
        let sql = "SELECT * FROM subscriptions WHERE nextRenewalDate IS NOT NULL ORDER BY nextRenewalDate"
        let rows = try SubscriptionRecord.fetchCursor(db.cachedStatement(sql: sql))
        while !schedule.isComplete, let row = try rows.next() { schedule.add(row.subscription) }
        return schedule
    }
}
