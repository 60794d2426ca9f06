import Foundation
import PurchaseModel
import PurchaseStorage

// Teams
extension MemoryTransaction {
    func team(_ purchase: TransactionID) -> TeamRecord? { records.teams[purchase] }

    func put(_ team: TeamRecord) { records.teams[team.purchase] = team }

    func removeTeam(_ purchase: TransactionID) { records.teams[purchase] = nil }

    func teams(in partition: Int, dueAt date: Timestamp, limit: Int) -> [TeamRecord] {
        let due = records.teams.values.filter { QueuePartition.number(of: $0.purchase) == partition && $0.dueAt <= date }
        return Array(due.sorted { ($0.dueAt, $0.purchase) < ($1.dueAt, $1.purchase) }.prefix(max(0, limit)))
    }

    func claimTeams(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) -> [TeamRecord] {
        let claimed = teams(in: partition, dueAt: date, limit: limit)
        for var team in claimed {
            team.dueAt = later
            put(team)
        }
        return claimed
    }

    func invitations(to team: TransactionID) -> [SeatInvitation] {
        records.invitations.filter { $0.team == team }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func invitation(tokenDigest digest: Data, to team: TransactionID) -> SeatInvitation? {
        records.invitations.first { $0.team == team && $0.tokenDigest == digest }
    }

    func put(_ invitation: SeatInvitation) {
        delete(invitation)
        records.invitations.append(invitation)
    }

    func delete(_ invitation: SeatInvitation) { records.invitations.removeAll { $0.team == invitation.team && $0.id == invitation.id } }

    func unreleasedClaims(of team: TransactionID) -> [SeatClaim] {
        records.seatClaims.filter { $0.team == team && $0.state != .released }
            .sorted { ($0.requestedAt, $0.requestIdentifier) < ($1.requestedAt, $1.requestIdentifier) }
    }

    func seatClaim(_ requestIdentifier: String, of team: TransactionID) -> SeatClaim? {
        records.seatClaims.first { $0.team == team && $0.requestIdentifier == requestIdentifier }
    }

    func seatClaim(withID seatClaimID: String) -> SeatClaim? { records.seatClaims.first { $0.seatClaimID == seatClaimID } }

    func put(_ claim: SeatClaim) {
        delete(claim)
        records.seatClaims.append(claim)
    }

    func delete(_ claim: SeatClaim) {
        records.seatClaims.removeAll { $0.team == claim.team && $0.requestIdentifier == claim.requestIdentifier }
    }

    func seats(of customer: CustomerID) -> [CustomerSeat] {
        records.seatClaims.filter { $0.customer == customer }
            .sorted { ($0.team, $0.requestIdentifier) < ($1.team, $1.requestIdentifier) }
            .compactMap { claim in
                records.purchases[claim.team].map {
                    CustomerSeat(
                        requestIdentifier: claim.requestIdentifier, timeline: $0.timeline, claimedAt: claim.claimedAt,
                        endedAt: claim.endedAt, endReason: claim.endReason)
                }
            }
    }
}
