import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// A subscription with seats and developer-hosted invitations, as the records of one transaction state it.
struct Team: Sendable {
    /// The owner's subscription.
    let purchase: PurchaseRecord
    /// The seats of the running period.
    let seats: GroupSeats
    /// The claims that are not released at the App Store, oldest first.
    let claims: [SeatClaim]

    /// The original transaction identifier of the owner's subscription.
    var id: TransactionID { purchase.originalTransactionID }
    /// The number of seats that can be claimed; a seat whose release the App Store has not confirmed is occupied.
    var free: Int { max(0, seats.count - claims.count) }
    /// The number of members without a seat.
    var surplus: Int { max(0, claims.count { $0.isOpen } - seats.count) }
}

extension PurchaseRecord {
    /// Whether the subscription ended, so that no renewal can continue it without a new purchase.
    fileprivate func isOver(at now: Timestamp) -> Bool {
        switch timeline.entitlement(at: now).state {
        case .expired, .revoked: true
        case .owned, .active, .gracePeriod, .billingRetry: false
        }
    }

    /// Whether the subscription expired at the end of a period.
    fileprivate func hasExpired(at now: Timestamp) -> Bool {
        if case .expired = timeline.entitlement(at: now).state { true } else { false }
    }

    /// Returns whether a team that the subscription may have ends with an event of a transaction, which can state no seats.
    func endsTeam(with transaction: TransactionPayload, at now: Timestamp) -> Bool {
        guard entitlement.productType ?? .autoRenewable == .autoRenewable else { return false }
        return isOver(at: now) || (transaction.transactionId != originalTransactionID && isResubscribed(by: transaction))
    }

    /// Whether the App Store retries a failed renewal.
    fileprivate var isRetried: Bool {
        switch entitlement.state {
        case .billingRetry, .gracePeriod: true
        case .owned, .active, .expired, .revoked: false
        }
    }

    /// Returns whether a transaction bought the subscription again after its end.
    ///
    /// The event about the end can be missing, or arrive later.
    fileprivate func isResubscribed(by transaction: TransactionPayload) -> Bool {
        // Seats that were added continue the subscription.
        guard transaction.reason == .purchase, transaction.additionalTransactionReason == nil,
            transaction.transactionId == entitlement.transactionID
        else { return false }
        return switch entitlement.state {
        case .active, .gracePeriod: true
        case .owned, .billingRetry, .expired, .revoked: false
        }
    }
}

extension StorageTransaction {
    /// Returns the team of a subscription; nil for a purchase without seats, or whose members the App Store invites.
    ///
    /// The cost grows with the number of the subscription's transactions.
    func team(of purchase: PurchaseRecord, at now: Timestamp) throws -> Team? {
        let id = purchase.originalTransactionID
        guard purchase.entitlement.productType ?? .autoRenewable == .autoRenewable,
            let seats = GroupSeats(of: try transactions(of: id).map(\.transaction), at: now), seats.management == .developer
        else { return nil }
        return Team(purchase: purchase, seats: seats, claims: try unreleasedClaims(of: id))
    }

    /// Makes the check of a team due at a date, unless an earlier check is due.
    func scheduleCheck(of team: TransactionID, at date: Timestamp) throws {
        var record = try self.team(team) ?? TeamRecord(purchase: team, dueAt: date)
        record.dueAt = min(record.dueAt, date)
        try put(record)
    }

    /// Ends the open claims of a team that fulfill a condition.
    ///
    /// - Parameters:
    ///   - team: The team.
    ///   - reason: The reason of the end.
    ///   - now: The current date.
    ///   - isConfirmed: Whether the claims have ended at the App Store too.
    ///   - condition: Returns whether a claim ends.
    func endClaims(
        of team: TransactionID, _ reason: SeatClaim.EndReason, at now: Timestamp, isConfirmed: Bool, where condition: (SeatClaim) -> Bool
    ) throws {
        for var claim in try unreleasedClaims(of: team) where claim.isOpen && condition(claim) {
            claim.end(reason, at: now, isConfirmed: isConfirmed)
            try put(claim)
        }
    }

    /// Ends all claims of a team whose subscription expired, and returns whether it did.
    ///
    /// The App Store needs no request, because a group ends with its subscription. A revoked subscription keeps its claims until the next
    /// check, because the refund can already be reversed, or other seats can be paid, by data that has not arrived. Its members have no
    /// access meanwhile.
    func endTeamIfOver(_ team: TransactionID, _ purchase: PurchaseRecord?, at now: Timestamp) throws -> Bool {
        guard purchase.map({ $0.hasExpired(at: now) }) ?? true else { return false }
        for var claim in try unreleasedClaims(of: team) {
            claim.end(.ended, at: now, isConfirmed: true)
            try put(claim)
        }
        try removeTeam(team)
        return true
    }

    /// Updates the claims of a team after an event of its subscription, and makes a check due.
    ///
    /// The claims of an ended subscription end in the transaction that records the end, so that a later purchase does not revive them.
    ///
    /// - Parameters:
    ///   - purchase: The subscription after the event.
    ///   - stored: The subscription before the event.
    ///   - transaction: The transaction of the event.
    ///   - now: The current date.
    func updateTeam(
        of purchase: PurchaseRecord, after stored: PurchaseRecord, _ transaction: TransactionPayload, at now: Timestamp
    ) throws {
        let id = purchase.originalTransactionID
        guard try team(id) != nil, try !endTeamIfOver(id, purchase, at: now) else { return }
        // A purchase can also pay a renewal that failed, which continues the group.
        if !stored.isRetried, purchase.isResubscribed(by: transaction),
            let end = stored.entitlement.access(at: transaction.purchaseDate).end,
            end <= transaction.purchaseDate
        {
            try endClaims(of: id, .ended, at: now, isConfirmed: true) { $0.requestedAt < transaction.purchaseDate }
        }
        try scheduleCheck(of: id, at: now)
    }

    /// Ends the claims that the App Store released; an unknown identifier has no effect.
    func releaseUnclaimed(_ info: UnclaimInfo, at now: Timestamp) throws {
        for id in info.unclaimSeatIds where !id.isEmpty && IdentifierText.isValid(id) {
            guard var claim = try seatClaim(withID: id), claim.state != .released else { continue }
            claim.end(.unclaimed, at: now, isConfirmed: true)
            try put(claim)
            try scheduleCheck(of: claim.team, at: now)
        }
    }

    // MARK: Customers

    /// Moves the seats of a customer to another customer, who keeps one seat in each team, and none in the own team.
    ///
    /// - Parameters:
    ///   - customer: The member whose seats move.
    ///   - other: The customer who receives the seats.
    ///   - now: The current date.
    /// - Returns: The moved claims.
    func moveSeats(of customer: CustomerID, to other: CustomerID, at now: Timestamp) throws -> [CustomerMergeRecord.Seat] {
        let held = try seats(of: other)
        return try seats(of: customer).compactMap { seat in
            guard var claim = try seatClaim(seat.requestIdentifier, of: seat.team) else { return nil }
            claim.customer = other
            let isOwner = try purchase(seat.team)?.customer == other
            if claim.isOpen, isOwner || held.contains(where: { $0.team == seat.team && $0.endedAt == nil }) {
                claim.end(.released, at: now, isConfirmed: false)
                try scheduleCheck(of: seat.team, at: now)
            }
            try put(claim)
            return CustomerMergeRecord.Seat(team: seat.team, requestIdentifier: seat.requestIdentifier)
        }
    }

    /// Moves the seats of a merge back, if the customer still has them.
    func moveSeatsBack(_ merge: CustomerMergeRecord) throws {
        for seat in merge.seats ?? [] {
            guard var claim = try seatClaim(seat.requestIdentifier, of: seat.team), claim.customer == merge.customer else { continue }
            claim.customer = merge.merged
            try put(claim)
        }
    }

    /// Releases the seats of a customer whose data is deleted, and deletes the invitations to the customer's teams.
    func deleteTeamData(of customer: CustomerID, at now: Timestamp) throws {
        for seat in try seats(of: customer) where seat.endedAt == nil {
            guard var claim = try seatClaim(seat.requestIdentifier, of: seat.team) else { continue }
            claim.end(.released, at: now, isConfirmed: false)
            try put(claim)
            try scheduleCheck(of: seat.team, at: now)
        }
        for product in try products(of: customer) {
            for purchase in try purchases(of: customer, product: product) {
                guard purchase.customer == customer, purchase.entitlement.productType ?? .autoRenewable == .autoRenewable else { continue }
                for invitation in try invitations(to: purchase.originalTransactionID) { try delete(invitation) }
            }
        }
    }
}

extension Access {
    /// The end of the access: the stated end, or a date in the past for access that has ended without a stated end; nil for access without
    /// an end.
    fileprivate var end: Timestamp? { until ?? (isGranted ? nil : Timestamp(milliseconds: .min)) }
}
