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
        let charges = purchased.sorted { $0.transactionId < $1.transactionId }.map { SeatPeriod(charge: $0) }
        let periods = SeatPeriod.combining(charges).periods
        guard let period = periods.last(where: { $0.start <= now }) ?? periods.first else { return nil }
        let seats = period.transactions.filter { $0.multiSeatInfo != nil }
        guard let newest = seats.max(by: { $0.signedDate < $1.signedDate }) else { return nil }
        count = seats.reduce(0) { sum, transaction in
            let (total, overflow) = sum.addingReportingOverflow(transaction.remainingSeats)
            return overflow ? .max : total
        }
        management = newest.multiSeatInfo?.management
    }
}

/// The transactions of a period: the purchase or the renewal, and the additions of seats.
private struct SeatPeriod: ChargedPeriod {
    let charge: TransactionPayload
    private(set) var transactions: [TransactionPayload]

    init(charge: TransactionPayload) {
        self.charge = charge
        transactions = [charge]
    }

    var start: Timestamp { charge.periodStart }
    var end: Timestamp { transactions.map(\.paidUntil).max() ?? start }

    func agrees(with addition: TransactionPayload) -> Bool { transactions.contains { $0.agrees(with: addition) } }

    mutating func add(_ addition: SeatPeriod) { transactions += addition.transactions }
}

extension TransactionPayload {
    /// The seats of the transaction that were not refunded; 0 for a revoked transaction.
    fileprivate var remainingSeats: Int {
        guard !isRevoked else { return 0 }
        let (rest, overflow) = quantity.subtractingReportingOverflow(multiSeatInfo?.revokedSeatQuantity ?? 0)
        return overflow ? 0 : max(0, rest)
    }
}
