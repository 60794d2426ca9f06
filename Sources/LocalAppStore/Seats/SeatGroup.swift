import GRDB
import PurchaseModel
import StoreProtocol

/// A subscription that is sold in seats, with the accounts or the claims that occupy them.
struct SeatGroup {
    /// The purchaser's subscription.
    let subscription: SubscriptionRecord
    /// Who invites the members, which is fixed when the subscription begins.
    let management: InvitationManagement
    /// The number of seats that members can occupy.
    let capacity: Int
    /// The subscriptions of the members whom the App Store invited, in the order in which they joined.
    let members: [SubscriptionRecord]
    /// The active claims of the developer's server, oldest first.
    let claims: [SeatClaimRecord]

    /// Reads the group of a purchaser's subscription; nil for a subscription without seats.
    ///
    /// - Parameters:
    ///   - row: The purchaser's subscription.
    ///   - catalog: The catalog of the app, which states whether the purchaser occupies a seat.
    ///   - db: The database.
    init?(of row: SubscriptionRecord, in catalog: Catalog?, _ db: Database) throws {
        guard row.purchaserTransactionID == nil, let seats = row.subscription.seats,
            let newest = try TransactionRecord.newestPeriod(of: row.id, db)
        else { return nil }
        subscription = row
        management = newest.multiSeatInfo?.management ?? .apple
        let purchaserTakesSeat = catalog?.item(row.subscription.productID)?.subscription?.seats?.purchaserTakesSeat ?? false
        capacity = max(0, seats.count - (purchaserTakesSeat ? 1 : 0))
        members = try SubscriptionRecord.members(of: row.id, db)
        claims = try SeatClaimRecord.active(of: row.id, db)
    }

    /// The number of free seats; 0 after a renewal with fewer seats than claims.
    var available: Int { max(0, capacity - (management == .apple ? members.count : claims.count)) }

    /// The seats in the control API's format.
    var description: SeatsDescription {
        let seats = subscription.subscription.seats
        return SeatsDescription(
            originalTransactionID: subscription.id, invitationManagement: management, total: seats?.count ?? 0,
            available: subscription.subscription.hasEnded ? 0 : available, atRenewal: seats?.atRenewal ?? 0,
            members: members.map { SeatsDescription.Member(account: $0.account, originalTransactionID: $0.id) },
            claims: claims.map {
                SeatsDescription.Claim(seatClaimID: $0.id, appTransactionID: $0.appTransactionID, claimedAt: $0.claimedAt)
            })
    }

    /// The `groupId` of the group: the digit 8 and the original transaction identifier.
    var id: String { Self.prefix + subscription.id.rawValue }

    private static let prefix = "8"

    /// Returns the original transaction identifier of the group with a `groupId`; nil for an identifier of another form.
    static func originalID(ofGroup id: String) -> TransactionID? {
        id.hasPrefix(prefix) ? TransactionID(String(id.dropFirst(prefix.count))) : nil
    }
}

extension SubscriptionRecord {
    /// Returns the subscriptions of the members of a purchaser's group, in the order in which they joined; members who left do not count.
    static func members(of id: TransactionID, _ db: Database) throws -> [SubscriptionRecord] {
        try sharedSubscriptions(of: id, db).filter { $0.subscription.ownership == .assigned && !$0.subscription.hasEnded }
    }
}
