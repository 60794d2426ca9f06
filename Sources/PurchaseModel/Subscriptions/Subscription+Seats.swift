/// The seats of a subscription that is sold in a quantity.
public struct SubscriptionSeats: Hashable, Sendable {
    /// The number of purchased seats of the newest period, in all of its transactions.
    public internal(set) var purchased: Int
    /// The number of refunded seats of the newest period.
    public internal(set) var refunded: Int
    /// The number of seats with which the subscription renews.
    public internal(set) var atRenewal: Int

    /// Creates the seats of a period; without `atRenewal`, the subscription renews with the purchased seats.
    package init(purchased: Int, refunded: Int = 0, atRenewal: Int? = nil) {
        self.purchased = purchased
        self.refunded = refunded
        self.atRenewal = atRenewal ?? purchased
    }

    /// The number of seats that the customer has: those that are not refunded.
    public var count: Int { max(0, purchased - refunded) }
}

/// Seats that a customer adds to a running period.
public struct SeatAddition: Hashable, Sendable {
    /// The number of added seats.
    public let seats: Int
    /// The added seats by price.
    public let tiers: [MultiSeatPriceTier]
    /// The charge for the added seats.
    ///
    /// Each added seat costs a whole period, which is an assumption: Apple's documentation that this project has seen does not state whether
    /// the charge is prorated.
    public let price: Money
}

extension Subscription {
    /// The largest number of seats of one period, including refunded ones.
    package static let purchasedSeatLimit = 1_000_000

    /// Adds seats to the newest period, and returns the actions that follow.
    ///
    /// The period keeps its transaction, and gets another one for the added seats. A period that was charged ahead and has not begun gets no
    /// seats, because the customer would have to wait for them.
    ///
    /// - Parameter target: The number of seats after the addition.
    mutating func addSeats(upTo target: Int, at now: Timestamp) -> [SubscriptionAction] {
        guard state == .active, !isChargedAhead(at: now), let pricing = plan.seatPricing, var seats, target > seats.count,
            target <= SeatPricing.seatLimit
        else { return [] }
        let added = seats.count + 1...target
        let tiers = pricing.tiers(of: added)
        guard let price = tiers.total, seats.purchased <= Self.purchasedSeatLimit - added.count else { return [] }
        seats.purchased += added.count
        seats.atRenewal = target
        self.seats = seats
        let addition = SeatAddition(
            seats: added.count, tiers: tiers, price: Money(milliunits: price, currency: plan.price.currency))
        // The purchaser's transactions state the seats of a group, and the members' transactions repeat those of their period's beginning.
        return ownership == .purchased
            ? [.addSeats(period: period.number, addition), notifyAction(.seatsChanged(isIncrease: true))] : []
    }

    /// Sets the number of seats with which the subscription renews, and returns the actions that follow.
    mutating func setSeatsAtRenewal(_ count: Int) -> [SubscriptionAction] {
        guard !hasEnded, var seats, (1...max(1, seats.count)).contains(count), count != seats.atRenewal else { return [] }
        let isIncrease = count > seats.atRenewal
        seats.atRenewal = count
        self.seats = seats
        return ownership == .purchased ? [notifyAction(.seatsChanged(isIncrease: isIncrease))] : []
    }

    /// Refunds seats of the newest period, and revokes the subscription when no seat is left.
    ///
    /// A refund of some seats leaves the access of the purchaser. The store marks the purchaser's transactions, because a period can have
    /// several; the action revokes the transaction of a member.
    mutating func refundSeats(_ count: Int, at now: Timestamp) -> [SubscriptionAction] {
        guard var seats, count > 0, count <= seats.count else { return [] }
        seats.refunded += count
        self.seats = seats
        guard seats.count == 0, state != .revoked, !isRevokedAtStart else { return [] }
        revokeNewestPeriod(at: now)
        return ownership == .purchased ? [] : [.revoke(period: period.number, .lost(ownership)), notifyAction(.revoked)]
    }

    /// Reverses the refund of seats of the newest period, and restores the subscription if no seat was left.
    mutating func reverseRefundOfSeats(_ count: Int, at now: Timestamp) -> [SubscriptionAction] {
        guard var seats, count > 0, count <= seats.refunded else { return [] }
        let wasEmpty = seats.count == 0
        seats.refunded -= count
        self.seats = seats
        guard wasEmpty, restoreNewestPeriod(at: now) else { return [] }
        return ownership == .purchased ? [] : [.reinstate(period: period.number)]
    }
}
