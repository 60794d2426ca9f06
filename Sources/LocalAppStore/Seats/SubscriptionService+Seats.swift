import GRDB
import PurchaseModel

extension SubscriptionService {
    /// Ends the memberships for which a group has no seats after a change of the purchaser's subscription, and the claims of an ended one.
    ///
    /// The members who joined last lose their seats first, which is an assumption: Apple's documentation that this project has seen does not
    /// state whom the App Store chooses. A renewal with fewer seats releases no claims, because the developer's server chooses them.
    ///
    /// - Parameters:
    ///   - row: The subscription after the change.
    ///   - hadSeats: Whether the subscription had seats before the change.
    ///   - now: The date of the change.
    ///   - db: The database.
    func updateSeats(of row: SubscriptionRecord, hadSeats: Bool, at now: Timestamp, _ db: Database) throws {
        guard row.purchaserTransactionID == nil, hadSeats || row.subscription.seats != nil else { return }
        if row.subscription.hasEnded || row.subscription.seats == nil {
            try SeatClaimRecord.release(SeatClaimRecord.active(of: row.id, db), at: now, db)
        }
        // The events of the subscription end those of its members. The seats of a renewal that was charged ahead begin with its period.
        guard !row.subscription.hasEnded, !row.subscription.isChargedAhead(at: now) else { return }
        let capacity = try SeatGroup(of: row, in: context.apps[row.bundleID]?.catalog, db)?.capacity ?? 0
        let members = try SubscriptionRecord.members(of: row.id, db)
        for member in members.dropFirst(capacity).reversed() {
            try apply(.sharingEnded, to: member, at: now, db)
        }
    }
}
