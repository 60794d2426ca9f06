public import Foundation
public import PurchaseModel

/// The seats of a multi-seat subscription whose members the app's backend invites, with the date of the next check.
///
/// A team is named by the original transaction identifier of the purchaser's subscription. The record exists while the team has open
/// claims.
public struct TeamRecord: Hashable, Sendable {
    /// The original transaction identifier of the purchaser's subscription.
    public let purchase: TransactionID
    /// The date from which the next check of the team's claims is due.
    public var dueAt: Timestamp
    /// The date when the App Store last listed the team's claims; nil before the first list.
    public var checkedAt: Timestamp?
    /// The date when a check found more claims than seats; nil if the team has enough seats.
    public var surplusSince: Timestamp?
    /// The number of claims in the App Store's last list that the server does not know.
    public var unknownClaims: Int
    /// The number of failed checks since the last successful one.
    public var attempts: Int

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - purchase: The original transaction identifier of the purchaser's subscription.
    ///   - dueAt: The date from which the next check is due.
    ///   - checkedAt: The date of the App Store's last list of claims; nil before the first list.
    ///   - surplusSince: The date when a check found more claims than seats; nil without a surplus.
    ///   - unknownClaims: The number of claims in the last list that the server does not know.
    ///   - attempts: The number of failed checks since the last successful one.
    public init(
        purchase: TransactionID, dueAt: Timestamp, checkedAt: Timestamp? = nil, surplusSince: Timestamp? = nil, unknownClaims: Int = 0,
        attempts: Int = 0
    ) {
        self.purchase = purchase
        self.dueAt = dueAt
        self.checkedAt = checkedAt
        self.surplusSince = surplusSince
        self.unknownClaims = unknownClaims
        self.attempts = attempts
    }
}

/// An invitation to a team, which one customer can accept once.
public struct SeatInvitation: Hashable, Sendable {
    /// The original transaction identifier of the purchaser's subscription.
    public let team: TransactionID
    /// The identifier by which the team's owner names the invitation, such as `inv_4f1c9a2b8d03`.
    public let id: String
    /// The SHA-256 of the token, so that a copy of the database contains no usable token.
    public let tokenDigest: Data
    /// The owner's text about the invited person; nil for none.
    public let note: String?
    /// The date when the invitation was created.
    public let createdAt: Timestamp
    /// The date when the invitation expires.
    public let expiresAt: Timestamp
    /// The request identifier of the claim with which a customer accepted the invitation; nil for an open invitation.
    public var claim: String?

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - team: The original transaction identifier of the purchaser's subscription.
    ///   - id: The identifier of the invitation within the team.
    ///   - tokenDigest: The SHA-256 of the token.
    ///   - note: The owner's text about the invited person; nil for none.
    ///   - createdAt: The date when the invitation was created.
    ///   - expiresAt: The date when the invitation expires.
    ///   - claim: The request identifier of the claim that accepted the invitation; nil for an open invitation.
    public init(
        team: TransactionID, id: String, tokenDigest: Data, note: String?, createdAt: Timestamp, expiresAt: Timestamp, claim: String? = nil
    ) {
        self.team = team
        self.id = id
        self.tokenDigest = tokenDigest
        self.note = note
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.claim = claim
    }
}

/// A member's claim of a seat.
///
/// The record with the request identifier is stored before the App Store receives the request, so that a request whose response was lost
/// can be repeated without a second claim.
public struct SeatClaim: Hashable, Sendable {
    /// The progress of a claim.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// The App Store has not confirmed the claim; the member has no access.
        case requested
        /// The App Store confirmed the claim; the member has the access of the subscription.
        case claimed
        /// The claim ended on the server, and the App Store has not confirmed the release; the member has no access.
        case releasing
        /// The claim ended on the server and at the App Store.
        case released
    }

    /// The reason why a claim ended.
    public enum EndReason: String, Codable, Hashable, Sendable, CaseIterable {
        /// The owner released the member, the member left, or the customer no longer needs the seat.
        case released
        /// The App Store released the claim.
        case unclaimed
        /// The subscription renewed with fewer seats.
        case surplus
        /// The subscription ended.
        case ended
    }

    /// The original transaction identifier of the purchaser's subscription.
    public let team: TransactionID
    /// The UUID by which the App Store recognizes a repeated request.
    public let requestIdentifier: String
    /// The member.
    public var customer: CustomerID
    /// The identifier of the accepted invitation.
    public let invitation: String
    /// The app transaction identifier of the member, which the claim states to the App Store; nil for none.
    public let appTransactionID: String?
    /// The App Store's identifier of the claim; nil before the App Store has confirmed the claim.
    public var seatClaimID: String?
    /// The progress of the claim.
    public var state: State
    /// The date when the member accepted the invitation.
    public let requestedAt: Timestamp
    /// The date when the App Store confirmed the claim; nil before.
    public var claimedAt: Timestamp?
    /// The date when the member's access ended; nil for an open claim.
    public var endedAt: Timestamp?
    /// The reason why the claim ended; nil for an open claim.
    public var endReason: EndReason?

    /// Creates a claim that the App Store has not confirmed.
    ///
    /// - Parameters:
    ///   - team: The original transaction identifier of the purchaser's subscription.
    ///   - requestIdentifier: The UUID of the request.
    ///   - customer: The member.
    ///   - invitation: The identifier of the accepted invitation.
    ///   - appTransactionID: The app transaction identifier of the member; nil for none.
    ///   - requestedAt: The date when the member accepted the invitation.
    public init(
        team: TransactionID, requestIdentifier: String, customer: CustomerID, invitation: String, appTransactionID: String?,
        requestedAt: Timestamp
    ) {
        self.team = team
        self.requestIdentifier = requestIdentifier
        self.customer = customer
        self.invitation = invitation
        self.appTransactionID = appTransactionID
        self.requestedAt = requestedAt
        state = .requested
    }

    /// Whether the member has the seat, or waits for the App Store's confirmation.
    public var isOpen: Bool { state == .requested || state == .claimed }

    /// Confirms the claim; a claim that ended meanwhile stays ended, and has to be released at the App Store.
    ///
    /// - Parameters:
    ///   - seatClaimID: The App Store's identifier of the claim.
    ///   - date: The date of the confirmation.
    public mutating func confirm(_ seatClaimID: String, at date: Timestamp) {
        if state == .released, self.seatClaimID == nil { state = .releasing }
        self.seatClaimID = seatClaimID
        guard state == .requested else { return }
        state = .claimed
        claimedAt = date
    }

    /// Ends an open claim; the end of an ended claim does not change.
    ///
    /// - Parameters:
    ///   - reason: The reason of the end.
    ///   - date: The date when the member's access ends.
    ///   - isConfirmed: Whether the claim has ended at the App Store too.
    public mutating func end(_ reason: EndReason, at date: Timestamp, isConfirmed: Bool) {
        if isOpen { (endedAt, endReason) = (date, reason) }
        state = isConfirmed || state == .released ? .released : .releasing
    }
}

/// A customer's seat in a team, with the entitlements of the purchaser's subscription.
public struct CustomerSeat: Hashable, Sendable {
    /// The request identifier of the claim.
    public let requestIdentifier: String
    /// The entitlements that result from the signed events of the purchaser's subscription.
    public let timeline: EntitlementTimeline
    /// The date when the App Store confirmed the claim; nil before.
    public let claimedAt: Timestamp?
    /// The date when the member's access ended; nil for an open claim.
    public let endedAt: Timestamp?
    /// The reason why the claim ended; nil for an open claim.
    public let endReason: SeatClaim.EndReason?

    /// Creates a value from the columns of a row.
    ///
    /// - Parameters:
    ///   - requestIdentifier: The request identifier of the claim.
    ///   - timeline: The entitlements of the purchaser's subscription.
    ///   - claimedAt: The date when the App Store confirmed the claim; nil before.
    ///   - endedAt: The date when the member's access ended; nil for an open claim.
    ///   - endReason: The reason why the claim ended; nil for an open claim.
    public init(
        requestIdentifier: String, timeline: EntitlementTimeline, claimedAt: Timestamp?, endedAt: Timestamp?,
        endReason: SeatClaim.EndReason?
    ) {
        self.requestIdentifier = requestIdentifier
        self.timeline = timeline
        self.claimedAt = claimedAt
        self.endedAt = endedAt
        self.endReason = endReason
    }

    /// The original transaction identifier of the purchaser's subscription.
    public var team: TransactionID { timeline.latest.originalTransactionID }
}

/// Reads and writes an app's teams, their invitations and their claims of seats within one database transaction.
public protocol TeamRecords {
    /// Returns the record of a team; nil for a team without open claims.
    ///
    /// - Parameter purchase: The original transaction identifier of the purchaser's subscription.
    func team(_ purchase: TransactionID) throws -> TeamRecord?

    /// Inserts or replaces the record of a team.
    ///
    /// - Parameter team: The record.
    func put(_ team: TeamRecord) throws

    /// Removes the record of a team, if the team has a record.
    ///
    /// - Parameter purchase: The original transaction identifier of the purchaser's subscription.
    func removeTeam(_ purchase: TransactionID) throws

    /// Returns at most `limit` teams of a ``QueuePartition`` whose checks are due at a date, earliest first.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - date: The date.
    ///   - limit: The maximum number of teams.
    func teams(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [TeamRecord]

    /// Postpones at most `limit` due checks of a ``QueuePartition``, and returns the teams with their previous dates, earliest first.
    ///
    /// A database with concurrent writers skips the teams that another transaction is claiming.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - date: The date at which the checks are due.
    ///   - later: The date to which the checks are postponed.
    ///   - limit: The maximum number of teams.
    func claimTeams(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [TeamRecord]

    /// Returns the invitations to a team, oldest first.
    ///
    /// - Parameter team: The original transaction identifier of the purchaser's subscription.
    func invitations(to team: TransactionID) throws -> [SeatInvitation]

    /// Returns the invitation with a token; nil for an unknown token.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 of the token.
    ///   - team: The original transaction identifier of the purchaser's subscription.
    func invitation(tokenDigest digest: Data, to team: TransactionID) throws -> SeatInvitation?

    /// Inserts or replaces an invitation.
    ///
    /// - Parameter invitation: The invitation.
    func put(_ invitation: SeatInvitation) throws

    /// Deletes an invitation, if the invitation is stored.
    ///
    /// - Parameter invitation: The invitation.
    func delete(_ invitation: SeatInvitation) throws

    /// Returns the claims of a team that are not released at the App Store, oldest first.
    ///
    /// - Parameter team: The original transaction identifier of the purchaser's subscription.
    func unreleasedClaims(of team: TransactionID) throws -> [SeatClaim]

    /// Returns a claim; nil for an unknown request identifier.
    ///
    /// - Parameters:
    ///   - requestIdentifier: The request identifier of the claim.
    ///   - team: The original transaction identifier of the purchaser's subscription.
    func seatClaim(_ requestIdentifier: String, of team: TransactionID) throws -> SeatClaim?

    /// Returns the claim with the App Store's identifier; nil for an unknown identifier.
    ///
    /// - Parameter seatClaimID: The App Store's identifier of the claim.
    func seatClaim(withID seatClaimID: String) throws -> SeatClaim?

    /// Inserts or replaces a claim.
    ///
    /// - Parameter claim: The claim.
    func put(_ claim: SeatClaim) throws

    /// Deletes a claim, if the claim is stored.
    ///
    /// - Parameter claim: The claim.
    func delete(_ claim: SeatClaim) throws

    /// Returns a customer's seats in all teams, including ended ones, ordered by team and request identifier.
    ///
    /// The result omits a seat of an unknown purchase.
    ///
    /// - Parameter customer: The member.
    func seats(of customer: CustomerID) throws -> [CustomerSeat]
}

extension TeamRecords {
    /// Returns at most `limit` teams whose checks are due at a date, earliest first.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - limit: The maximum number of teams.
    public func teams(dueAt date: Timestamp, limit: Int) throws -> [TeamRecord] {
        let due = try (0..<QueuePartition.count).flatMap { try teams(in: $0, dueAt: date, limit: limit) }
        return Array(due.sorted { ($0.dueAt, $0.purchase.rawValue) < ($1.dueAt, $1.purchase.rawValue) }.prefix(max(0, limit)))
    }
}
