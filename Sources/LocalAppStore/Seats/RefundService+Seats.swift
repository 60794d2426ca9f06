import GRDB
import PurchaseModel
import StoreProtocol

extension RefundService {
    /// Refunds some or all seats of a purchaser's transaction.
    ///
    /// A refund of some seats leaves the transaction valid for the others. A refund of all seats revokes it, and the purchaser loses access
    /// when each transaction of the period is revoked.
    func refundSeats(_ request: IssueRefund, of row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let remaining = row.remainingSeats
        let count = request.seats ?? remaining
        guard count >= 1, count <= remaining else { throw StoreError.invalidValue(field: "seats") }
        var refunded = row
        let revocation = Self.revocation(request.percentage)
        let amount = row.price(ofLast: count)
        if count == remaining {
            refunded.revoke(revocation, reason: request.reason ?? 0, at: now)
        } else {
            refunded.multiSeatInfo?.revokedSeatQuantity = row.quantity - remaining + count
        }
        try transactions.change(&refunded, db)
        try ChargeRecord.refund(
            refunded, revocation.amount(of: Money(milliunits: amount, currency: row.currency)).milliunits, at: now, db)
        let (subscription, isCurrent) = try change(.seatsRefunded(count), by: refunded, at: now, db)
        let kind = count == remaining ? NotificationKind(.refund) : NotificationKind(.refund, .seats)
        try notices.post(StoreNotice(.refund, detail: "\(count) seats", kind, about: refunded, subscription), at: now, db)
        // A renewal with fewer seats can leave more claims than seats, which a refund of an earlier period does not release.
        if isCurrent { try seats.releaseSurplus(of: row.originalID, at: now, db) }
    }

    /// Reverses the refund of all refunded seats of a purchaser's transaction.
    func reverseRefundOfSeats(of row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        var reinstated = row
        reinstated.reinstate()
        reinstated.multiSeatInfo?.revokedSeatQuantity = nil
        try transactions.change(&reinstated, db)
        try ChargeRecord.reversal(reinstated, at: now, db)
        let (subscription, _) = try change(.seatRefundReversed(row.quantity - row.remainingSeats), by: reinstated, at: now, db)
        try notices.post(StoreNotice(.refundReversal, .refundReversed, about: reinstated, subscription), at: now, db)
    }

    /// Applies a change of seats to the subscription if the transaction belongs to its newest period.
    ///
    /// - Returns: The subscription, and whether the transaction belongs to its newest period.
    private func change(
        _ event: SubscriptionEvent, by row: TransactionRecord, at now: Timestamp, _ db: Database
    ) throws -> (subscription: SubscriptionRecord?, isCurrent: Bool) {
        guard let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue) else { return (nil, false) }
        let period = try row.additionTo.flatMap { try TransactionRecord.find($0, db) }?.period ?? row.period
        guard period == subscription.subscription.period.number else { return (subscription, false) }
        return (try subscriptions.apply(event, to: subscription, at: now, db), true)
    }
}

extension TransactionRecord {
    /// Returns the price of the last seats that are not refunded, in thousandths of the currency's main unit.
    ///
    /// - Parameter count: The number of seats.
    func price(ofLast count: Int) -> Int64 {
        var skipped = multiSeatInfo?.revokedSeatQuantity ?? 0
        var left = count
        var tiers: [MultiSeatPriceTier] = []
        // The seats fill the tiers from the highest price to the lowest.
        for tier in (multiSeatInfo?.priceTiers ?? []).sorted(by: { ($0.price ?? 0) < ($1.price ?? 0) }) {
            let quantity = max(0, tier.quantity ?? 0)
            let available = max(0, quantity - skipped)
            skipped = max(0, skipped - quantity)
            let taken = min(available, left)
            left -= taken
            if taken > 0 { tiers.append(MultiSeatPriceTier(price: tier.price, quantity: taken)) }
        }
        return tiers.total ?? price
    }
}
