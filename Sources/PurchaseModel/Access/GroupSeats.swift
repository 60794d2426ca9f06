/// The seats that a group purchaser has in a period of a multi-seat subscription.
///
/// Source: Apple's `TransactionMultiSeatInfo`.
public struct GroupSeats: Hashable, Sendable {
    /// The number of seats, without the refunded ones; 0 if each transaction of the period is revoked.
    public var count: Int
    /// Who invites the members, according to the newest transaction of the period; nil for an unknown value.
    public var management: InvitationManagement?

    /// Creates a number of seats.
    ///
    /// - Parameters:
    ///   - count: The number of seats, without the refunded ones.
    ///   - management: Who invites the members; nil for an unknown value.
    public init(count: Int, management: InvitationManagement?) {
        self.count = count
        self.management = management
    }

    /// Counts the seats of the running period, or of the first period if none has begun.
    ///
    /// A period has one transaction, and a further one for each addition of seats. A member's transaction repeats the seats of the
    /// purchaser, so that only the purchaser's transactions count.
    ///
    /// - Parameters:
    ///   - transactions: The newest version of each transaction of the subscription, in any order.
    ///   - now: The date for which the seats are counted.
    /// - Returns: Nil if no transaction of the purchaser states seats in the period.
    public init?(of transactions: some Sequence<TransactionPayload>, at now: Timestamp) {
        let purchased = transactions.filter { $0.ownership != .assigned && $0.ownership != .familyShared && $0.expiresDate != nil }
        let sorted = purchased.sorted { lhs, rhs in
            let (left, right) = (lhs.isSeatAddition ? 1 : 0, rhs.isSeatAddition ? 1 : 0)
            return (lhs.periodStart, left, lhs.transactionId) < (rhs.periodStart, right, rhs.transactionId)
        }
        var periods: [[TransactionPayload]] = []
        for transaction in sorted {
            if let index = periods.lastIndex(where: { transaction.addsSeats(to: $0) }) {
                periods[index].append(transaction)
            } else {
                periods.append([transaction])
            }
        }
        guard let period = periods.last(where: { ($0.first?.periodStart).map { $0 <= now } ?? false }) ?? periods.first else { return nil }
        let seats = period.filter { $0.multiSeatInfo != nil }
        guard let newest = seats.max(by: { $0.signedDate < $1.signedDate }) else { return nil }
        count = seats.reduce(0) { sum, transaction in
            let (total, overflow) = sum.addingReportingOverflow(transaction.remainingSeats)
            return overflow ? .max : total
        }
        management = newest.multiSeatInfo?.management
    }
}

extension TransactionPayload {
    /// The seats of the transaction that were not refunded; 0 for a revoked transaction.
    fileprivate var remainingSeats: Int {
        guard !isRevoked else { return 0 }
        let (rest, overflow) = quantity.subtractingReportingOverflow(multiSeatInfo?.revokedSeatQuantity ?? 0)
        return overflow ? 0 : max(0, rest)
    }

    /// Whether the transaction can be an addition of seats, rather than a renewal.
    fileprivate var isSeatAddition: Bool { additionalTransactionReason != nil && reason != .renewal }

    /// Returns whether the transaction adds seats to a period that has begun before.
    fileprivate func addsSeats(to period: [TransactionPayload]) -> Bool {
        guard isSeatAddition, let end = period.map(\.paidUntil).max() else { return false }
        return periodStart < end
            && period.contains { $0.productId == productId && ($0.isUpgraded == true) == (isUpgraded == true) }
    }
}
