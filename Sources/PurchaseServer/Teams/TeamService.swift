import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol

/// Manages the seats of an app's teams: invitations, claims and releases.
///
/// The App Store keeps the number of seats and the claims. The server is the record of the members, because the members of a group with
/// developer-hosted invitations have no transaction.
struct TeamService: Sendable {
    /// The maximum length of a note in bytes.
    static let noteLimit = 200
    /// The permitted lifetimes of an invitation in seconds.
    static let lifetimes: ClosedRange<Int64> = 60...2_592_000
    /// The maximum number of a team's open invitations.
    static let invitationLimit = 1_000
    private static let defaultLifetime: Int64 = 7 * 86_400
    /// The number of days after which an expired or accepted invitation is deleted.
    private static let retentionDays: Int64 = 30
    /// The time in seconds after which a check repeats a request for a seat whose response was lost.
    private static let retrySeconds: Int64 = 60
    /// The maximum length of an app transaction identifier in bytes.
    private static let appTransactionLimit = 64

    let app: BundleID
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    let entitlements: EntitlementService
    let keeper: TeamKeeper
    let clock: any WallClock

    // MARK: Reading

    /// Returns the teams that a customer owns, and the customer's open seats in the teams of others.
    func list(of reference: CustomerReference) async throws -> TeamsReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else { return TeamsReply(customer: nil) }
            var reply = TeamsReply(customer: customer)
            for product in try records.products(of: customer) where catalog[product]?.type ?? .autoRenewable == .autoRenewable {
                for purchase in try records.purchases(of: customer, product: product) where purchase.customer == customer {
                    guard !reply.teams.contains(where: { $0.team == purchase.originalTransactionID }),
                        let team = try records.team(of: purchase, at: now)
                    else { continue }
                    reply.teams.append(try self.reply(team, at: now, in: records))
                }
            }
            reply.teams.sort { $0.team < $1.team }
            for seat in try records.seats(of: customer) where seat.endedAt == nil {
                reply.seats.append(try self.reply(PurchaseRecord(timeline: seat.timeline), seat.claimedAt, at: now, in: records))
            }
            return reply
        }
    }

    /// Returns a team that a customer owns.
    func read(_ id: TransactionID, of reference: CustomerReference) async throws -> TeamReply {
        let now = clock.now
        return try await storage.read(app) { records in
            try self.reply(try self.team(id, of: reference, at: now, in: records), at: now, in: records)
        }
    }

    /// Returns a team that a customer owns.
    ///
    /// - Throws: ``TeamRefusal/unknownTeam`` for the team of another customer, and for a purchase without seats.
    private func team(
        _ id: TransactionID, of reference: CustomerReference, at now: Timestamp, in records: any StorageTransaction
    ) throws -> Team {
        guard let customer = try records.customer(reference), IdentifierText.isValid(id.rawValue),
            let purchase = try records.purchase(id), purchase.customer == customer,
            let team = try records.team(of: purchase, at: now)
        else { throw TeamRefusal.unknownTeam }
        return team
    }

    private func access(to purchase: PurchaseRecord, at now: Timestamp, in records: any StorageTransaction) throws -> Access {
        guard entitlements.counts(purchase) else { return .unknownPurchase }
        return try entitlements.access(to: purchase, nonRenewingDuration: nil, at: now, in: records)
    }

    private func reply(_ team: Team, at now: Timestamp, in records: any StorageTransaction) throws -> TeamReply {
        let access = try access(to: team.purchase, at: now, in: records)
        let record = try records.team(team.id)
        let invitations = try records.invitations(to: team.id).filter { $0.claim == nil && $0.expiresAt > now }
        let date = record?.surplusSince.map { $0.adding(seconds: keeper.policy.surplusSeconds) }
        return TeamReply(
            team: team.id, productID: team.purchase.timeline.entitlement(at: now).productID, isActive: access.isGranted,
            until: access.isGranted ? access.until : nil, seats: team.seats.count, claimed: team.claims.count, free: team.free,
            surplus: team.surplus > 0 ? team.surplus : nil, surplusReleaseDate: team.surplus > 0 ? date : nil,
            unknownClaims: record.flatMap { $0.unknownClaims > 0 ? $0.unknownClaims : nil },
            members: team.claims.map {
                TeamReply.Member(
                    customer: $0.customer, invitation: $0.invitation, state: $0.state.rawValue, requestedAt: $0.requestedAt,
                    claimedAt: $0.claimedAt)
            },
            invitations: invitations.map {
                TeamReply.Invitation(id: $0.id, note: $0.note, createdAt: $0.createdAt, expiresAt: $0.expiresAt)
            })
    }

    private func reply(
        _ purchase: PurchaseRecord, _ claimedAt: Timestamp?, at now: Timestamp, in records: any StorageTransaction
    ) throws -> SeatReply {
        let access = try access(to: purchase, at: now, in: records)
        let isActive = access.isGranted && claimedAt != nil
        return SeatReply(
            team: purchase.originalTransactionID, productID: purchase.timeline.entitlement(at: now).productID, isActive: isActive,
            until: isActive ? access.until : nil, claimedAt: claimedAt)
    }

    // MARK: Invitations

    /// Creates an invitation, whose token the reply states once.
    func invite(_ request: InviteMemberRequest, to id: TransactionID, of reference: CustomerReference) async throws -> InvitationReply {
        let (now, lifetime, note) = (clock.now, request.expiresInSeconds ?? Self.defaultLifetime, request.note ?? "")
        guard Self.lifetimes.contains(lifetime), note.utf8.count <= Self.noteLimit, IdentifierText.isValid(note) else {
            throw TeamRefusal.invitationMalformed
        }
        let (token, invitationID) = (InvitationToken(for: id), "inv_" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12))
        return try await storage.write(app) { records in
            let team = try self.team(id, of: reference, at: now, in: records)
            guard try self.access(to: team.purchase, at: now, in: records).isGranted else { throw TeamRefusal.inactive }
            var open = 0
            for invitation in try records.invitations(to: id) {
                if invitation.expiresAt <= now.adding(days: -Self.retentionDays) {
                    try records.delete(invitation)
                } else if invitation.claim == nil, invitation.expiresAt > now {
                    open += 1
                }
            }
            guard open < Self.invitationLimit else { throw TeamRefusal.invitationLimit }
            let invitation = SeatInvitation(
                team: id, id: invitationID, tokenDigest: token.digest, note: note.isEmpty ? nil : note, createdAt: now,
                expiresAt: now.adding(seconds: lifetime))
            try records.put(invitation)
            return InvitationReply(team: id, id: invitation.id, token: token.text, expiresAt: invitation.expiresAt)
        }
    }

    /// Withdraws an open invitation.
    func withdraw(_ invitation: String, from id: TransactionID, of reference: CustomerReference) async throws -> TeamReply {
        let now = clock.now
        return try await storage.write(app) { records in
            let team = try self.team(id, of: reference, at: now, in: records)
            guard let open = try records.invitations(to: id).first(where: { $0.id == invitation && $0.claim == nil }) else {
                throw TeamRefusal.unknownInvitation
            }
            try records.delete(open)
            return try self.reply(team, at: now, in: records)
        }
    }

    // MARK: Claims

    /// Claims a seat for a customer.
    ///
    /// The claim is stored before the App Store receives the request. A repeated request after a lost response sends the stored request
    /// identifier, so that the App Store claims one seat. A member who already has a seat in the team keeps it, and no further seat is
    /// claimed.
    func claim(_ request: ClaimTeamSeatRequest, for reference: CustomerReference) async throws -> SeatReply {
        guard let token = InvitationToken(request.token) else { throw TeamRefusal.unknownToken }
        if let id = request.appTransactionID {
            guard (1...Self.appTransactionLimit).contains(id.utf8.count), IdentifierText.isValid(id) else {
                throw TeamRefusal.appTransaction
            }
        }
        let (now, requestIdentifier) = (clock.now, UUID().uuidString.lowercased())
        let (claim, purchase) = try await storage.write(app) { records in
            let customer = try records.customerOrNew(reference, at: now)
            return try self.storedClaim(
                of: customer, token, appTransactionID: request.appTransactionID, requestIdentifier: requestIdentifier, at: now, in: records)
        }
        var claimed = claim
        if claim.state == .requested {
            guard let client = keeper.client(for: purchase.entitlement.environment) else { throw TeamRefusal.notConfigured }
            switch try await keeper.confirm(claim, with: client) {
            case .claimed(let confirmed): claimed = confirmed
            case .ended: throw TeamRefusal.usedToken
            case .refused(let refusal): throw refusal
            case .unconfirmed: throw TeamRefusal.unconfirmed
            }
        }
        return try await storage.read(app) { [claimed] records in
            try self.reply(try records.purchase(claimed.team) ?? purchase, claimed.claimedAt, at: now, in: records)
        }
    }

    /// Returns the customer's open claim in the team of a token, or stores a new claim and accepts the invitation.
    private func storedClaim(
        of customer: CustomerID, _ token: InvitationToken, appTransactionID: String?, requestIdentifier: String, at now: Timestamp,
        in records: any StorageTransaction
    ) throws -> (SeatClaim, PurchaseRecord) {
        guard var invitation = try records.invitation(tokenDigest: token.digest, to: token.team),
            let purchase = try records.purchase(token.team)
        else { throw TeamRefusal.unknownToken }
        guard purchase.customer != customer else { throw TeamRefusal.owner }
        let claims = try records.unreleasedClaims(of: token.team)
        if let open = claims.first(where: { $0.customer == customer && $0.isOpen }) { return (open, purchase) }
        guard invitation.claim == nil else { throw TeamRefusal.usedToken }
        guard now < invitation.expiresAt else { throw TeamRefusal.expiredToken }
        guard try access(to: purchase, at: now, in: records).isGranted else { throw TeamRefusal.inactive }
        guard keeper.client(for: purchase.entitlement.environment) != nil else { throw TeamRefusal.notConfigured }
        guard let team = try records.team(of: purchase, at: now) else { throw TeamRefusal.unknownToken }
        guard team.free > 0 else { throw TeamRefusal.noAvailableSeats }
        let claim = SeatClaim(
            team: team.id, requestIdentifier: requestIdentifier, customer: customer, invitation: invitation.id,
            appTransactionID: appTransactionID, requestedAt: now)
        try records.put(claim)
        invitation.claim = requestIdentifier
        try records.put(invitation)
        try records.scheduleCheck(of: team.id, at: now.adding(seconds: Self.retrySeconds))
        return (claim, purchase)
    }

    // MARK: Releases

    /// Releases the seat of a member; a repeated request has no further effect.
    ///
    /// The member's access ends at once. If the App Store does not confirm the release, a check repeats the request.
    ///
    /// - Parameters:
    ///   - invitation: The identifier of the invitation that the member accepted; a path contains no identifier of a customer.
    ///   - id: The team.
    ///   - reference: The owner.
    func release(_ invitation: String, from id: TransactionID, of reference: CustomerReference) async throws -> TeamReply {
        let now = clock.now
        let (claims, purchase) = try await storage.write(app) { records in
            let team = try self.team(id, of: reference, at: now, in: records)
            let accepted = team.claims.contains { $0.invitation == invitation }
            guard try accepted || records.invitations(to: id).contains(where: { $0.id == invitation && $0.claim != nil }) else {
                throw TeamRefusal.unknownMember
            }
            return (try self.endSeats(in: id, at: now, in: records) { $0.invitation == invitation }, team.purchase)
        }
        try await complete(claims, of: purchase)
        return try await read(id, of: reference)
    }

    /// Releases a customer's seat in a team; a repeated request has no further effect.
    func leave(_ id: TransactionID, _ reference: CustomerReference) async throws -> TeamsReply {
        let now = clock.now
        let (claims, purchase) = try await storage.write(app) { records in
            guard let customer = try records.customer(reference), IdentifierText.isValid(id.rawValue),
                let purchase = try records.purchase(id), try records.seats(of: customer).contains(where: { $0.team == id })
            else { throw TeamRefusal.unknownMember }
            return (try self.endSeats(in: id, at: now, in: records) { $0.customer == customer }, purchase)
        }
        try await complete(claims, of: purchase)
        return try await list(of: reference)
    }

    /// Ends the open claims that fulfill a condition, and returns the claims of the condition that the App Store has to release.
    private func endSeats(
        in team: TransactionID, at now: Timestamp, in records: any StorageTransaction, where condition: (SeatClaim) -> Bool
    ) throws -> [SeatClaim] {
        try records.endClaims(of: team, .released, at: now, isConfirmed: false, where: condition)
        let releasing = try records.unreleasedClaims(of: team).filter { $0.state == .releasing && condition($0) }
        if !releasing.isEmpty { try records.scheduleCheck(of: team, at: now.adding(seconds: Self.retrySeconds)) }
        return releasing
    }

    private func complete(_ claims: [SeatClaim], of purchase: PurchaseRecord) async throws {
        guard let client = keeper.client(for: purchase.entitlement.environment) else { return }
        for claim in claims { _ = try await keeper.release(claim, with: client) }
    }
}
