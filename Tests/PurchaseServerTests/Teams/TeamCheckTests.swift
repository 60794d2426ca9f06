import Foundation
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the claims that end without a request: by the App Store, by a renewal, by a merge, or by the end of the subscription.
@Suite struct TeamCheckTests {
    private static let (ann, bob, cat) = (TeamShop.ann, TeamShop.bob, TeamShop.cat)

    // MARK: The App Store's releases

    @Test func `UNCLAIM_SEATS ends exactly the named claims, once, and unknown claims have no effect`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob, Self.cat)
            let ids = try await [shop.claimID(of: Self.ann), shop.claimID(of: Self.cat)]
            shop.seats.unclaim(ids)
            for uuid in ["u1", "u1", "u2"] {
                #expect(try await shop.notifyUnclaim(ids + [UUID().uuidString, ""], uuid: uuid).status == .ok)
                #expect(try await shop.active() == [Self.bob])
            }
            let team = try await shop.team()
            #expect(team.members.map(\.customer) == [Self.bob] && team.free == 2)
            #expect(shop.seats.released == [])
            try await shop.check()
            #expect(try await shop.active() == [Self.bob])
        }
    }

    @Test func `a stored UNCLAIM_SEATS of an earlier version is applied when the server starts`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann)
            let receiver = try shop.app.notifications
            var payload = NotificationPayload(
                notificationType: "UNCLAIM_SEATS", subtype: nil, notificationUUID: "u1", signedDate: shop.clock.now,
                subject: .unknown(UnknownNotificationSubject()))
            payload.unclaimInfo = UnclaimInfo(unclaimSeatIds: [try await shop.claimID(of: Self.ann)])
            let verified = try await receiver.verified(TestAuthority.shared.signedData.sign(payload))
            try await shop.shop.server.storage.write(.test) { records in
                let record = ReceivedNotification(verified, receivedAt: shop.clock.now)
                _ = try records.insert(record)
                try records.insert(unknown: record)
            }
            #expect(try await shop.active() == [Self.ann])
            #expect(try await receiver.applyUnderstood(limit: 9) == 1)
            #expect(try await shop.active() == [])
        }
    }

    @Test func `a check ends the claims that the App Store does not list, and keeps those that the server does not know`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            shop.seats.unclaim([try await shop.claimID(of: Self.ann)])
            shop.seats.addForeignClaim()
            #expect(try await shop.check().teams == 0)
            shop.clock.advance(seconds: 86_400)
            #expect(try await shop.check() == TeamKeeper.Differences(teams: 1, released: 1, unknown: 1))
            #expect(try await shop.active() == [Self.bob])
            #expect(try await shop.team().unknownClaims == 1)
            #expect(shop.seats.released == [] && shop.seats.assigned.count == 2)
            #expect(try await shop.check().teams == 0)
        }
    }

    @Test func `a subscription that the App Store no longer regards as a group has no members`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann, TeamShop.bob)
            shop.seats.refusal = .transactionNotDevManagedGroup
            shop.pass(seconds: 86_400)
            #expect(try await shop.check().released == 2)
            #expect(try await shop.active() == [])
            #expect(try await shop.team().members.isEmpty)
            #expect(try await shop.check() == TeamKeeper.Differences())
        }
    }

    @Test func `seats that were added after the period continue the team`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann)
            shop.clock.advance(seconds: TeamShop.period * 86_400 + 60)
            // The renewal that precedes the addition has not arrived.
            var addition = TransactionPayload.seats(1, period: 1)
            addition.transactionId = "9009"
            addition.additionalTransactionReason = "SEAT_ADDITION"
            addition.transactionReason = TransactionReason.purchase.rawValue
            try await shop.notify(addition, type: "DID_CHANGE_RENEWAL_PREF")
            #expect(try await shop.active() == [TeamShop.ann])
        }
    }

    @Test func `refunded seats whose claims the App Store released cause no further release`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob, Self.cat)
            // The App Store released the claim of the oldest member, and its notification has not arrived.
            shop.seats.unclaim([try await shop.claimID(of: Self.ann)])
            shop.seats.seats = 2
            let refund = TransactionPayload.seats(3).with {
                $0.multiSeatInfo?.revokedSeatQuantity = 1
                $0.signedDate = shop.clock.now
            }
            try await shop.notify(refund, type: "REFUND")
            #expect(try await shop.team().seats == 2)
            try await shop.check()
            #expect(try await shop.active() == [Self.bob, Self.cat])
            #expect(shop.seats.released == [])
        }
    }

    @Test func `a check ends neither a claim that was made after the App Store's list, nor any claim without a list`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann)
            shop.seats.mode = .away
            shop.pass(seconds: 86_400)
            try await shop.check()
            #expect(try await shop.active() == [Self.ann])
            shop.seats.mode = .available
            shop.pass(seconds: 86_400)
            let token = try await shop.invite()
            shop.seats.onList = { _ = try? await shop.claim(token, for: Self.bob) }
            #expect(try await shop.check() == TeamKeeper.Differences(teams: 1))
            #expect(try await shop.active() == [Self.ann, Self.bob])
        }
    }

    @Test func `a reconciliation reports the differences of teams`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            shop.seats.unclaim([try await shop.claimID(of: Self.ann)])
            shop.seats.addForeignClaim()
            shop.pass(seconds: 86_400)
            let report = try #require(try await shop.shop.server.reconcile(.test))
            #expect(report.outcome == .complete && report.teams == 1 && report.releasedSeats == 1 && report.unknownSeatClaims == 1)
            #expect(try await shop.active() == [Self.bob])
        }
    }

    // MARK: Surplus

    private static let policies: [(TeamPolicy, days: Int64, members: [CustomerID])] = [
        (TeamPolicy(), 0, [ann]),
        (TeamPolicy(surplus: .ownerChooses, surplusDays: 7), 0, [ann, bob, cat]),
        (TeamPolicy(surplus: .ownerChooses, surplusDays: 7), 6, [ann, bob, cat]),
        (TeamPolicy(surplus: .ownerChooses, surplusDays: 7), 7, [ann]),
    ]

    @Test(arguments: policies)
    func `after a renewal with fewer seats, the policy determines the date on which the newest members lose their seats`(
        _ policy: TeamPolicy, _ days: Int64, _ members: [CustomerID]
    ) async throws {
        try await TeamShop.open(policy: policy) { shop async throws in
            try await shop.join(Self.ann, Self.bob, Self.cat)
            try await shop.renew(1)
            let renewed = shop.clock.now
            try await shop.check()
            let team = try await shop.team()
            #expect(team.surplus == (policy.surplus == .ownerChooses ? 2 : nil))
            #expect(team.surplusReleaseDate == (policy.surplus == .ownerChooses ? renewed.adding(days: 7) : nil))
            for _ in 0..<days {
                shop.clock.advance(seconds: 86_400)
                try await shop.check()
            }
            #expect(try await shop.active() == members)
            #expect(shop.seats.assigned.count == members.count)
        }
    }

    @Test func `an owner who releases members before the date keeps the others`() async throws {
        try await TeamShop.open(policy: TeamPolicy(surplus: .ownerChooses, surplusDays: 7)) { shop async throws in
            try await shop.join(Self.ann, Self.bob, Self.cat)
            try await shop.renew(1)
            try await shop.check()
            try await shop.release(Self.ann)
            try await shop.release(Self.bob)
            #expect(try await shop.team().surplus == nil)
            shop.clock.advance(seconds: 8 * 86_400)
            try await shop.check()
            #expect(try await shop.active() == [Self.cat])
        }
    }

    @Test func `a release of the surplus that was interrupted is completed once`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            let last = try await shop.claimID(of: Self.bob)
            try await shop.renew(1)
            // The release was stored, and the process was killed before its request.
            try await shop.shop.server.storage.write(.test) { records in
                var claim = try #require(try records.seatClaim(withID: last))
                claim.end(.surplus, at: shop.clock.now, isConfirmed: false)
                try records.put(claim)
            }
            #expect(try await shop.active() == [Self.ann])
            try await shop.check()
            #expect(shop.seats.released == [last] && shop.seats.assigned.count == 1)
            #expect(try await shop.active() == [Self.ann])
        }
    }

    // MARK: The end of the subscription

    @Test(arguments: [true, false])
    func `a subscription that was bought again after its end does not revive the claims`(isExpirationKnown: Bool) async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann)
            shop.clock.advance(seconds: TeamShop.period * 86_400)
            if isExpirationKnown { try await shop.expire() }
            shop.clock.advance(seconds: TeamShop.period * 86_400)
            shop.seats.unclaim(shop.seats.assigned)
            let again = TransactionPayload.seats(3, period: 2).with { $0.transactionReason = "PURCHASE" }
            try await shop.notify(again, type: "SUBSCRIBED")
            #expect(try await shop.entitlement(of: Shop.customer).isActive)
            #expect(try await shop.active() == [])
            let team = try await shop.team()
            #expect(team.isActive && team.members.isEmpty && team.free == 3)
            try await shop.join(Self.ann)
            #expect(try await shop.active() == [Self.ann])
        }
    }

    @Test(arguments: [true, false])
    func `the claims of a subscription end, although its transactions with one seat state no seats`(isExpirationKnown: Bool) async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            shop.clock.advance(seconds: TeamShop.period * 86_400)
            shop.seats.seats = 1
            try await shop.notify(.oneSeat(period: 1), type: "DID_RENEW")
            try await shop.check()
            #expect(try await shop.active() == [Self.ann])
            for period in 2...5 {
                shop.clock.advance(seconds: TeamShop.period * 86_400)
                try await shop.notify(.oneSeat(period: Int64(period)), type: "DID_RENEW")
            }
            #expect(try await shop.active() == [Self.ann])

            shop.clock.advance(seconds: TeamShop.period * 86_400)
            if isExpirationKnown { try await shop.expire(afterPeriods: 6, seats: 1) }
            shop.clock.advance(seconds: TeamShop.period * 86_400)
            shop.seats.unclaim(shop.seats.assigned)
            let again = TransactionPayload.oneSeat(period: 7).with { $0.transactionReason = "PURCHASE" }
            try await shop.notify(again, type: "SUBSCRIBED")
            #expect(try await shop.entitlement(of: Shop.customer).isActive)
            #expect(try await shop.active() == [])
        }
    }

    @Test func `a refund of all seats ends the access of the members`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann)
            try await shop.notify(.seats(3).refunded(), type: "REFUND")
            #expect(try await shop.active() == [])
            #expect(try await shop.entitlement(of: Self.ann).state == .revoked)
        }
    }

    @Test func `an invitation to an ended subscription gives no seat`() async throws {
        try await TeamShop.open { shop async throws in
            shop.clock.advance(seconds: 10 * 86_400)
            let token = try await shop.invite(expiresInSeconds: 2_592_000)
            shop.clock.advance(seconds: 20 * 86_400 + 2)
            try await shop.expire()
            #expect(try await shop.claim(token, for: Self.ann).code == "team.inactive")
            let answer = try await shop.shop.call(
                ServerEndpoints.inviteMember, InviteMemberRequest(), ["team": TeamShop.team.rawValue])
            #expect(answer.code == "team.inactive")
        }
    }

    // MARK: Customers

    @Test func `a merge of two members keeps one seat, and a merge of one member moves it`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob, Self.cat)
            for member in [Self.ann, Self.bob, Self.cat] { #expect(try await shop.entitlement(of: member).isActive) }
            func merge(_ anonymous: CustomerID, into alias: String) async throws {
                let request = AddAliasRequest(alias: alias)
                #expect(try await shop.shop.call(ServerEndpoints.addAlias, request, by: .backend(anonymous.rawValue)).status == .ok)
            }
            try await merge(Self.ann, into: "account")
            try await merge(Self.bob, into: "account")
            #expect(try await shop.active([Self.ann, Self.bob]) == [Self.ann, Self.bob])
            #expect(try await shop.team().members.map(\.state) == ["claimed", "releasing", "claimed"])
            try await shop.check()
            #expect(shop.seats.assigned.count == 2)

            try await merge(TeamShop.dan, into: "other")
            try await merge(Self.cat, into: "other")
            #expect(try await shop.entitlement(of: TeamShop.dan).isActive)
            let undo = try await shop.shop.call(
                ServerEndpoints.undoMerge, UndoMergeRequest(customer: Self.cat), by: .backend("other"))
            #expect(undo.status == .ok)
            #expect(try await shop.active([Self.cat, TeamShop.dan]) == [Self.cat])
            #expect(shop.seats.assigned.count == 2)
        }
    }

    @Test func `the team follows the purchase to another customer, who needs no seat`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            // Without a token, the purchase moves to the customer whom a backend names.
            try await shop.shop.server.storage.write(.test) { records in
                var purchase = try #require(try records.purchase(TeamShop.team))
                (purchase.customer, purchase.attribution) = (Self.ann, .backend)
                try records.put(purchase)
            }
            #expect(try await shop.team(of: Self.ann).claimed == 2)
            shop.clock.advance(seconds: 86_400)
            try await shop.check()
            let team = try await shop.team(of: Self.ann)
            #expect(team.members.map(\.customer) == [Self.bob])
            #expect(try await shop.active([Self.ann, Self.bob]) == [Self.ann, Self.bob])
            #expect(try await shop.entitlement(of: Self.ann).ownership == "PURCHASED")
        }
    }

    @Test func `the deletion of a member releases the seat, and the deletion of the owner deletes the invitations`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(Self.ann, Self.bob)
            let token = try await shop.invite()
            for customer in [Self.ann, Shop.customer] {
                #expect(try await shop.shop.call(ServerEndpoints.deleteCustomer, Empty(), by: .backend(customer.rawValue)).status == .ok)
            }
            #expect(try await shop.active() == [Self.bob])
            try await shop.check()
            #expect(shop.seats.assigned.count == 1)
            #expect(try await shop.claim(token, for: Self.cat).code == "seat.token-unknown")
        }
    }
}
