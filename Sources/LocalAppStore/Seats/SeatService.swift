import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that assigns the seats of subscriptions: to accounts in groups of the App Store, and to claims of the developer's server.
struct SeatService: Sendable {
    let context: StoreContext
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService
    let notices: NoticeService

    // MARK: - Members

    /// Returns the seats of a subscription with their members and claims.
    func seats(of id: TransactionID) async throws -> SeatsDescription {
        try await context.read { db in try group(of: id, db).description }
    }

    /// Adds an account to a group of the App Store; the account gets separate transactions.
    ///
    /// A repeated call changes nothing. An account that does not exist is created.
    func join(_ account: AccountID, _ id: TransactionID) async throws -> SeatsDescription {
        try await context.transaction { db, now in
            let group = try group(of: id, managedBy: .apple, db)
            guard group.subscription.account != account else { throw SeatError.purchaser }
            guard !group.subscription.subscription.hasEnded else { throw SeatError.ended }
            if !group.members.contains(where: { $0.account == account }) {
                guard group.available > 0 else { throw SeatError.noAvailableSeats }
                try AccountRecord.open(account, db)
                let member = try AccountRecord.require(account, db)
                let purchaser = try AccountRecord.require(group.subscription.account, db)
                guard member.environment == purchaser.environment else { throw SeatError.otherEnvironment }
                try familySharing.grant(group.subscription, to: member, .assigned, at: now, db)
            }
            return try self.group(of: id, db).description
        }
    }

    /// Removes an account from a group of the App Store, and revokes its transaction.
    func remove(_ account: AccountID, _ id: TransactionID) async throws -> SeatsDescription {
        try await context.transaction { db, now in
            let group = try group(of: id, managedBy: .apple, db)
            guard let member = group.members.first(where: { $0.account == account }) else { throw SeatError.notMember }
            try subscriptions.apply(.sharingEnded, to: member, at: now, db)
            return try self.group(of: id, db).description
        }
    }

    /// Releases claims of the developer's server as the App Store does, and sends an `UNCLAIM_SEATS` notification.
    func release(_ claims: [String], of id: TransactionID) async throws -> SeatsDescription {
        try await context.transaction { db, now in
            let group = try group(of: id, managedBy: .developer, db)
            let ids = claims.map { $0.lowercased() }
            let released = group.claims.filter { ids.contains($0.id) }
            if let unknown = ids.first(where: { id in !released.contains { $0.id == id } }) { throw SeatError.claimUnknown(unknown) }
            try unclaim(released, of: group, at: now, db)
            return try self.group(of: id, db).description
        }
    }

    /// Releases the newest claims of a group that has more claims than seats after a refund.
    ///
    /// Apple's documentation that this project has seen does not state which claims the App Store chooses.
    func releaseSurplus(of id: TransactionID, at now: Timestamp, _ db: Database) throws {
        guard let row = try SubscriptionRecord.fetchOne(db, key: id.rawValue),
            let group = try SeatGroup(of: row, in: context.apps[row.bundleID]?.catalog, db), group.management == .developer
        else { return }
        try unclaim(Array(group.claims.dropFirst(group.capacity)), of: group, at: now, db)
    }

    private func unclaim(_ claims: [SeatClaimRecord], of group: SeatGroup, at now: Timestamp, _ db: Database) throws {
        guard !claims.isEmpty, let newest = try TransactionRecord.newestPeriod(of: group.subscription.id, db) else { return }
        try SeatClaimRecord.release(claims, at: now, db)
        try notices.notify(unclaimed: claims.map(\.id), about: newest, at: now, db)
    }

    /// Returns the group of the subscription to which a transaction of its purchaser belongs.
    ///
    /// - Throws: ``StoreError/transactionUnknown``, ``SeatError/noSeats`` or ``SeatError/otherManagement(_:)``.
    private func group(
        of id: TransactionID, managedBy management: InvitationManagement? = nil, _ db: Database
    ) throws -> SeatGroup {
        guard let transaction = try TransactionRecord.find(id, db),
            let row = try SubscriptionRecord.fetchOne(db, key: transaction.originalID.rawValue), row.purchaserTransactionID == nil
        else { throw StoreError.transactionUnknown }
        guard let group = try SeatGroup(of: row, in: context.apps[row.bundleID]?.catalog, db) else { throw SeatError.noSeats }
        if let management, group.management != management { throw SeatError.otherManagement(group.management) }
        return group
    }

    // MARK: - App Store Server API

    /// Returns the seats of a group of the developer's server (Get Seat Info).
    func seatInfo(of id: String, in scope: APIScope) async throws -> GetSeatInfoResponse {
        try await context.read { db in
            let group = try managedGroup(of: id, in: scope, db)
            return GetSeatInfoResponse(
                totalSeatCount: group.subscription.subscription.seats?.count, availableSeatCount: group.available,
                assignedSeatClaimIds: group.claims.map(\.id))
        }
    }

    /// Claims a seat (Claim Seat); a repeated request with the same identifier returns the same claim, also after its release.
    func claim(_ request: ClaimSeatRequest, of id: String, in scope: APIScope) async throws -> ClaimSeatResponse {
        try await context.transaction { db, now in
            let group = try managedGroup(of: id, in: scope, db)
            let identifier = request.requestIdentifier.lowercased()
            if let known = try SeatClaimRecord.find(request: identifier, of: group.subscription.id, db) {
                return ClaimSeatResponse(seatClaimId: known.id)
            }
            if let member = request.appTransactionId { try scope.requireDownload(member, db) }
            guard group.available > 0 else { throw ServerAPIError.noAvailableSeats }
            let claim = SeatClaimRecord(
                id: UUID().uuidString.lowercased(), originalID: group.subscription.id, requestIdentifier: identifier,
                appTransactionID: request.appTransactionId, claimedAt: now)
            try claim.insert(db)
            return ClaimSeatResponse(seatClaimId: claim.id)
        }
    }

    /// Releases a claimed seat (Unclaim Seat).
    func unclaim(_ claim: String, of id: String, in scope: APIScope) async throws {
        try await context.transaction { db, now in
            let claim = try activeClaim(claim, of: managedGroup(of: id, in: scope, db))
            try SeatClaimRecord.release([claim], at: now, db)
        }
    }

    /// Associates a claimed seat with a member (Associate Seat).
    func associate(_ claim: String, _ request: AssociateSeatRequest, of id: String, in scope: APIScope) async throws {
        try await context.transaction { db, _ in
            var claim = try activeClaim(claim, of: managedGroup(of: id, in: scope, db))
            try scope.requireDownload(request.appTransactionId, db)
            claim.appTransactionID = request.appTransactionId
            try claim.update(db)
        }
    }

    private func activeClaim(_ id: String, of group: SeatGroup) throws -> SeatClaimRecord {
        guard let claim = group.claims.first(where: { $0.id == id.lowercased() }) else { throw ServerAPIError.seatClaimIdNotFound }
        return claim
    }

    /// Returns the group of an original transaction identifier, whose members the developer's server invites.
    ///
    /// - Throws: ``ServerAPIError/transactionNotDevManagedGroup`` for another subscription, also for one that has ended, and
    ///   ``ServerAPIError/bundleTransactionIdNotSupported`` for the identifier of a bundle.
    private func managedGroup(of id: String, in scope: APIScope, _ db: Database) throws -> SeatGroup {
        let transaction: TransactionRecord
        do {
            transaction = try scope.originalTransaction(id, db)
        } catch ServerAPIError.originalTransactionIdNotFound {
            let isOfBundle = try TransactionBundle.exists(id, in: scope.bundleID, db)
            throw isOfBundle ? ServerAPIError.bundleTransactionIdNotSupported : .originalTransactionIdNotFound
        }
        guard let row = try SubscriptionRecord.fetchOne(db, key: transaction.id.rawValue), !row.subscription.hasEnded,
            let group = try SeatGroup(of: row, in: context.apps[row.bundleID]?.catalog, db), group.management == .developer
        else { throw ServerAPIError.transactionNotDevManagedGroup }
        return group
    }
}
