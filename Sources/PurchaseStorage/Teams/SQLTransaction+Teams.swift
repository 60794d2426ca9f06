package import Foundation
package import PurchaseModel

extension SQLTransaction {
    private static let putTeam = upsert(
        "team", key: ["app", "partition", "original_transaction_id"],
        ["due_at", "checked_at", "surplus_since", "unknown_claims", "attempts"])

    private static let putSeatInvitation = upsert(
        "seat_invitation", key: ["app", "original_transaction_id", "id"],
        ["token_digest", "note", "created_at", "expires_at", "claim"])

    private static let putSeatClaim = upsert(
        "seat_claim", key: ["app", "original_transaction_id", "request_identifier"],
        [
            "customer", "invitation", "app_transaction_id", "seat_claim_id", "state", "requested_at", "claimed_at", "ended_at",
            "end_reason",
        ])

    private static let putCustomerSeat = upsert(
        "customer_seat", key: ["app", "customer", "original_transaction_id", "request_identifier"],
        ["claimed_at", "ended_at", "end_reason"])

    // MARK: Teams

    package func team(_ purchase: TransactionID) throws -> TeamRecord? {
        try first(
            "SELECT * FROM team WHERE app = ?1 AND partition = ? AND original_transaction_id = ?", QueuePartition.number(of: purchase),
            purchase.rawValue, read: team)
    }

    package func put(_ team: TeamRecord) throws {
        try execute(
            Self.putTeam, QueuePartition.number(of: team.purchase), team.purchase.rawValue, team.dueAt.milliseconds,
            team.checkedAt?.milliseconds, team.surplusSince?.milliseconds, team.unknownClaims, team.attempts)
    }

    package func removeTeam(_ purchase: TransactionID) throws {
        try execute(
            "DELETE FROM team WHERE app = ?1 AND partition = ? AND original_transaction_id = ?", QueuePartition.number(of: purchase),
            purchase.rawValue)
    }

    package func teams(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [TeamRecord] {
        try teams(in: partition, dueAt: date, limit: limit, lock: "")
    }

    package func claimTeams(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [TeamRecord] {
        let claimed = try teams(in: partition, dueAt: date, limit: limit, lock: connection.claimLock)
        for var team in claimed {
            team.dueAt = later
            try put(team)
        }
        return claimed
    }

    private func teams(in partition: Int, dueAt date: Timestamp, limit: Int, lock: String) throws -> [TeamRecord] {
        try all(
            """
            SELECT * FROM team WHERE app = ?1 AND partition = ? AND due_at <= ?
            ORDER BY due_at, original_transaction_id LIMIT ? \(lock)
            """, partition, date.milliseconds, max(0, limit), read: team)
    }

    private func team(_ row: any SQLRow) throws -> TeamRecord {
        TeamRecord(
            purchase: TransactionID(try row["original_transaction_id"] as String), dueAt: Timestamp(milliseconds: try row["due_at"]),
            checkedAt: try date("checked_at", of: row), surplusSince: try date("surplus_since", of: row),
            unknownClaims: try row["unknown_claims"], attempts: try row["attempts"])
    }

    private func date(_ column: String, of row: any SQLRow) throws -> Timestamp? {
        (try row[column] as Int64?).map { Timestamp(milliseconds: $0) }
    }

    // MARK: Invitations

    package func invitations(to team: TransactionID) throws -> [SeatInvitation] {
        try all(
            "SELECT * FROM seat_invitation WHERE app = ?1 AND original_transaction_id = ? ORDER BY created_at, id", team.rawValue,
            read: invitation)
    }

    package func invitation(tokenDigest digest: Data, to team: TransactionID) throws -> SeatInvitation? {
        try first(
            "SELECT * FROM seat_invitation WHERE app = ?1 AND original_transaction_id = ? AND token_digest = ?", team.rawValue, digest,
            read: invitation)
    }

    private func invitation(_ row: any SQLRow) throws -> SeatInvitation {
        SeatInvitation(
            team: TransactionID(try row["original_transaction_id"] as String), id: try row["id"], tokenDigest: try row["token_digest"],
            note: try row["note"], createdAt: Timestamp(milliseconds: try row["created_at"]),
            expiresAt: Timestamp(milliseconds: try row["expires_at"]), claim: try row["claim"])
    }

    package func put(_ invitation: SeatInvitation) throws {
        try execute(
            Self.putSeatInvitation, invitation.team.rawValue, invitation.id, invitation.tokenDigest, invitation.note,
            invitation.createdAt.milliseconds, invitation.expiresAt.milliseconds, invitation.claim)
    }

    package func delete(_ invitation: SeatInvitation) throws {
        try execute(
            "DELETE FROM seat_invitation WHERE app = ?1 AND original_transaction_id = ? AND id = ?", invitation.team.rawValue,
            invitation.id)
    }

    // MARK: Claims

    package func unreleasedClaims(of team: TransactionID) throws -> [SeatClaim] {
        try all(
            """
            SELECT * FROM seat_claim WHERE app = ?1 AND original_transaction_id = ? AND state <> ?
            ORDER BY requested_at, request_identifier
            """, team.rawValue, SeatClaim.State.released.rawValue, read: seatClaim)
    }

    package func seatClaim(_ requestIdentifier: String, of team: TransactionID) throws -> SeatClaim? {
        try first(
            "SELECT * FROM seat_claim WHERE app = ?1 AND original_transaction_id = ? AND request_identifier = ?", team.rawValue,
            requestIdentifier, read: seatClaim)
    }

    package func seatClaim(withID seatClaimID: String) throws -> SeatClaim? {
        try first("SELECT * FROM seat_claim WHERE app = ?1 AND seat_claim_id = ?", seatClaimID, read: seatClaim)
    }

    private func seatClaim(_ row: any SQLRow) throws -> SeatClaim {
        var claim = SeatClaim(
            team: TransactionID(try row["original_transaction_id"] as String), requestIdentifier: try row["request_identifier"],
            customer: CustomerID(try row["customer"] as String), invitation: try row["invitation"],
            appTransactionID: try row["app_transaction_id"], requestedAt: Timestamp(milliseconds: try row["requested_at"]))
        guard let state = SeatClaim.State(rawValue: try row["state"]) else { throw StorageError.failed("seat_claim.state") }
        claim.state = state
        claim.seatClaimID = try row["seat_claim_id"]
        claim.claimedAt = try date("claimed_at", of: row)
        claim.endedAt = try date("ended_at", of: row)
        claim.endReason = (try row["end_reason"] as String?).flatMap { SeatClaim.EndReason(rawValue: $0) }
        return claim
    }

    package func put(_ claim: SeatClaim) throws {
        if let stored = try seatClaim(claim.requestIdentifier, of: claim.team), stored.customer != claim.customer {
            try deleteCustomerSeat(of: stored)
        }
        try execute(
            Self.putSeatClaim, claim.team.rawValue, claim.requestIdentifier, claim.customer.rawValue, claim.invitation,
            claim.appTransactionID, claim.seatClaimID, claim.state.rawValue, claim.requestedAt.milliseconds, claim.claimedAt?.milliseconds,
            claim.endedAt?.milliseconds, claim.endReason?.rawValue)
        try execute(
            Self.putCustomerSeat, claim.customer.rawValue, claim.team.rawValue, claim.requestIdentifier, claim.claimedAt?.milliseconds,
            claim.endedAt?.milliseconds, claim.endReason?.rawValue)
    }

    package func delete(_ claim: SeatClaim) throws {
        try execute(
            "DELETE FROM seat_claim WHERE app = ?1 AND original_transaction_id = ? AND request_identifier = ?", claim.team.rawValue,
            claim.requestIdentifier)
        try deleteCustomerSeat(of: claim)
    }

    private func deleteCustomerSeat(of claim: SeatClaim) throws {
        try execute(
            "DELETE FROM customer_seat WHERE app = ?1 AND customer = ? AND original_transaction_id = ? AND request_identifier = ?",
            claim.customer.rawValue, claim.team.rawValue, claim.requestIdentifier)
    }

    package func seats(of customer: CustomerID) throws -> [CustomerSeat] {
        try all(
            """
            SELECT request_identifier, claimed_at, ended_at, end_reason, (SELECT entitlement FROM purchase
                WHERE app = ?1 AND original_transaction_id = seat.original_transaction_id) AS entitlement
            FROM customer_seat AS seat WHERE app = ?1 AND customer = ?2 ORDER BY original_transaction_id, request_identifier
            """, customer.rawValue
        ) { row in
            try customerSeat(
                row["request_identifier"], entitlement: row["entitlement"], claimedAt: date("claimed_at", of: row),
                endedAt: date("ended_at", of: row), reason: row["end_reason"])
        }.compactMap { $0 }
    }

    /// Returns a customer's seat from the columns of a row; nil for a seat of an unknown purchase.
    package func customerSeat(
        _ requestIdentifier: String, entitlement: String?, claimedAt: Timestamp?, endedAt: Timestamp?, reason: String?
    ) throws -> CustomerSeat? {
        guard let entitlement else { return nil }
        return CustomerSeat(
            requestIdentifier: requestIdentifier, timeline: try record(entitlement), claimedAt: claimedAt, endedAt: endedAt,
            endReason: reason.flatMap { SeatClaim.EndReason(rawValue: $0) })
    }
}
