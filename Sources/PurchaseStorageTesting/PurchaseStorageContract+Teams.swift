import Foundation
import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    static let teamChecks: [Check] = [
        Check(description: "a team is replaced, becomes due, is claimed once, and is removed") { storage, _ in
            var team = TeamRecord(purchase: "1", dueAt: date(5))
            let second = TeamRecord(purchase: "2", dueAt: date(3), checkedAt: date(1), surplusSince: date(2), unknownClaims: 4, attempts: 5)
            try await storage.write(app) { [team] records in
                try records.put(team)
                try records.put(second)
            }
            team.dueAt = date(4)
            try await storage.write(app) { [team] in try $0.put(team) }
            let found = try await storage.read(app) { records in
                (
                    try records.team("1"), try records.team("3"), try records.teams(dueAt: date(4), limit: 9),
                    try records.teams(dueAt: date(3), limit: 9), try records.teams(dueAt: date(9), limit: 1)
                )
            }
            try expect(found.0, equals: team, "a replaced team")
            try expect(found.1, equals: nil, "an unknown team")
            try expect(found.2, equals: [second, team], "the due teams, earliest first")
            try expect(found.3, equals: [second], "the teams that are due earlier")
            try expect(found.4, equals: [second], "one due team")
            let partition = QueuePartition.number(of: "1")
            let claimed = try await storage.write(app) { records in
                try (0..<2).map { _ in try records.claimTeams(in: partition, dueAt: date(4), until: date(8), limit: 9).map(\.purchase) }
            }
            try expect(claimed[0].contains("1"), equals: true, "whether the first claim contains the team")
            try expect(claimed[1], equals: [], "the second claim")
            try await storage.write(app) { try $0.removeTeam("1") }
            let removed = try await storage.read(app) { try $0.team("1") }
            try expect(removed, equals: nil, "a removed team")
            let other = try await storage.read("com.example.other") { try $0.team("2") }
            try expect(other, equals: nil, "the team of another app")
        },
        Check(description: "an invitation is found by its token, in its team only") { storage, _ in
            var first = SeatInvitation(
                team: "1", id: "b", tokenDigest: Data([1]), note: "for Jane", createdAt: date(1), expiresAt: date(9))
            let second = SeatInvitation(team: "1", id: "a", tokenDigest: Data([2]), note: nil, createdAt: date(2), expiresAt: date(9))
            let other = SeatInvitation(team: "2", id: "a", tokenDigest: Data([3]), note: nil, createdAt: date(1), expiresAt: date(9))
            try await storage.write(app) { [first] records in for invitation in [second, first, other] { try records.put(invitation) } }
            first.claim = "request"
            try await storage.write(app) { [first] in try $0.put(first) }
            let found = try await storage.read(app) { records in
                (
                    try records.invitations(to: "1"), try records.invitation(tokenDigest: Data([1]), to: "1"),
                    try records.invitation(tokenDigest: Data([1]), to: "2"), try records.invitation(tokenDigest: Data([9]), to: "1")
                )
            }
            try expect(found.0, equals: [first, second], "the invitations, oldest first")
            try expect(found.1, equals: first, "a replaced invitation")
            try expect(found.2, equals: nil, "an invitation to another team")
            try expect(found.3, equals: nil, "an unknown token")
            try await storage.write(app) { try $0.delete(second) }
            let rest = try await storage.read(app) { (try $0.invitations(to: "1"), try $0.invitations(to: "2")) }
            try expect(rest.0, equals: [first], "the invitations after a deletion")
            try expect(rest.1, equals: [other], "the invitations to another team")
        },
        Check(description: "a claim of a seat is found by its identifiers, and belongs to one member") { storage, events in
            let event = try await events.event(events.transaction("1", type: .autoRenewable, period: 0))
            let timeline = EntitlementTimeline(first: event.event)
            var claim = SeatClaim(
                team: "1", requestIdentifier: "b", customer: "jane", invitation: "i", appTransactionID: "704", requestedAt: date(2))
            let second = SeatClaim(
                team: "1", requestIdentifier: "a", customer: "joe", invitation: "j", appTransactionID: nil, requestedAt: date(1))
            try await storage.write(app) { [claim] records in
                try records.put(PurchaseRecord(timeline: timeline))
                try records.put(claim)
                try records.put(second)
            }
            let requested = try await storage.read(app) { (try $0.unreleasedClaims(of: "1"), try $0.seats(of: "jane")) }
            try expect(requested.0, equals: [second, claim], "the unreleased claims, oldest first")
            try expect(requested.1.map(\.claimedAt), equals: [nil], "the seat of an unconfirmed claim")
            claim.confirm("seat", at: date(3))
            claim.customer = "ann"
            try await storage.write(app) { [claim] in try $0.put(claim) }
            let claimed = try await storage.read(app) { records in
                (
                    try records.seatClaim("b", of: "1"), try records.seatClaim("b", of: "2"), try records.seatClaim(withID: "seat"),
                    try records.seatClaim(withID: "other"), try ["jane", "ann"].map { try records.seats(of: $0) },
                    try records.holdings(of: "ann", limit: 9) { _ in true }?.seats
                )
            }
            let seat = CustomerSeat(requestIdentifier: "b", timeline: timeline, claimedAt: date(3), endedAt: nil, endReason: nil)
            try expect(claimed.0, equals: claim, "a replaced claim")
            try expect(claimed.1, equals: nil, "a claim in another team")
            try expect(claimed.2, equals: claim, "the claim with the App Store's identifier")
            try expect(claimed.3, equals: nil, "a claim with an unknown identifier")
            try expect(claimed.4, equals: [[], [seat]], "the seats of the first and of the second member")
            try expect(claimed.5, equals: [seat], "the seats among the holdings")
            claim.end(.surplus, at: date(4), isConfirmed: true)
            try await storage.write(app) { [claim] records in
                try records.put(claim)
                try records.delete(second)
            }
            let ended = try await storage.read(app) { records in
                (try records.unreleasedClaims(of: "1"), try records.seats(of: "ann"), try records.seats(of: "joe"))
            }
            try expect(ended.0, equals: [], "the unreleased claims after their ends")
            try expect(ended.1.map(\.endReason), equals: [.surplus], "the reason of the end")
            try expect(ended.1.map(\.endedAt), equals: [date(4)], "the date of the end")
            try expect(ended.2, equals: [], "the seats of a deleted claim")
        },
        Check(description: "a seat of an unknown purchase gives nothing") { storage, _ in
            let claim = SeatClaim(
                team: "9", requestIdentifier: "a", customer: "jane", invitation: "i", appTransactionID: nil, requestedAt: date(1))
            try await storage.write(app) { try $0.put(claim) }
            let found = try await storage.read(app) { records in
                (try records.seats(of: "jane"), try records.holdings(of: "jane", limit: 9) { _ in true }?.seats)
            }
            try expect(found.0, equals: [], "the seats")
            try expect(found.1, equals: [], "the seats among the holdings")
        },
    ]

    private static func date(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }
}
