import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the seats of a team, from the purchase to the end of the subscription.
@Suite struct TeamTests {
    @Test func `the story of a team, from the purchase of three seats to the end of the subscription`() async throws {
        try await TeamShop.open { shop async throws in
            let (ann, bob, cat) = (TeamShop.ann, TeamShop.bob, TeamShop.cat)
            #expect(try await shop.team().seats == 3)
            let token = try await shop.invite()
            #expect(try await shop.team().invitations.count == 1)

            let seat = try await shop.claim(token, for: ann).value(SeatReply.self)
            #expect(seat.isActive && seat.team == TeamShop.team && seat.until == .testStart.adding(days: TeamShop.period))
            let (owner, member) = try await (shop.entitlement(of: Shop.customer), shop.entitlement(of: ann))
            #expect(member.isActive && member.until == owner.until && member.productID == .magazine)
            #expect(member.ownership == "ASSIGNED" && owner.ownership == "PURCHASED")
            #expect(member.originalTransactionID == TeamShop.team && member.reason.contains("seat of the team"))
            shop.clock.advance(seconds: 1)
            try await shop.join(bob, cat)
            let full = try await shop.team()
            #expect(full.claimed == 3 && full.free == 0 && full.invitations.isEmpty && full.members.map(\.customer) == [ann, bob, cat])
            #expect(try await shop.claim(shop.invite(), for: TeamShop.dan).code == "team.no-available-seats")

            #expect(try await shop.release(bob).status == .ok)
            #expect(try await shop.active() == [ann, cat])
            #expect(shop.seats.assigned.count == 2)

            // The renewal has one seat, so that the newest member loses the seat.
            try await shop.renew(1)
            #expect(try await shop.active() == [ann, cat])
            try await shop.check()
            #expect(try await shop.active() == [ann])
            #expect(try await shop.entitlement(of: ann).until == .testStart.adding(days: 2 * TeamShop.period))

            #expect(try await shop.notifyUnclaim([shop.claimID(of: ann)]).status == .ok)
            #expect(try await shop.active() == [])
            shop.seats.unclaim(shop.seats.assigned)

            try await shop.join(bob)
            shop.clock.advance(seconds: TeamShop.period * 86_400)
            #expect(try await shop.active() == [])
            try await shop.expire(afterPeriods: 2)
            #expect(try await shop.team().members.isEmpty)
            #expect(try await shop.entitlement(of: bob).state == .expired)
        }
    }

    @Test func `of two customers who claim the last seat at the same time, one receives it`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann, TeamShop.bob)
            let tokens = [try await shop.invite(), try await shop.invite()]
            async let first = shop.claim(tokens[0], for: TeamShop.cat)
            async let second = shop.claim(tokens[1], for: TeamShop.dan)
            let answers = try await [first, second]
            #expect(answers.count { $0.status == .ok } == 1)
            #expect(answers.compactMap { $0.status == .ok ? nil : $0.code } == ["team.no-available-seats"])
            #expect(shop.seats.assigned.count == 3)
            #expect(try await shop.team().invitations.count == 1)
        }
    }

    @Test func `of two customers who use a token at the same time, one receives a seat`() async throws {
        try await TeamShop.open { shop async throws in
            let token = try await shop.invite()
            async let first = shop.claim(token, for: TeamShop.cat)
            async let second = shop.claim(token, for: TeamShop.dan)
            let answers = try await [first, second]
            #expect(answers.compactMap { $0.status == .ok ? nil : $0.code } == ["seat.token-used"])
            #expect(shop.seats.assigned.count == 1)
        }
    }

    @Test func `a claim whose response was lost is repeated with the same request identifier, and claims one seat`() async throws {
        try await TeamShop.open { shop async throws in
            let token = try await shop.invite()
            shop.seats.mode = .loses
            #expect(try await shop.claim(token, for: TeamShop.ann).code == "seat.unconfirmed")
            #expect(try await shop.active() == [])
            #expect(try await shop.team().members.map(\.state) == ["requested"])
            #expect(try await shop.claim(token, for: TeamShop.bob).code == "seat.token-used")
            shop.seats.mode = .available
            #expect(try await shop.claim(token, for: TeamShop.ann).status == .ok)
            #expect(try await shop.claim(token, for: TeamShop.ann).status == .ok)
            #expect(shop.seats.assigned.count == 1 && Set(shop.seats.requests).count == 1)
            #expect(try await shop.active() == [TeamShop.ann])
        }
    }

    @Test(arguments: [SeatStore.Mode.loses, .away])
    func `a claim that was interrupted after it was stored is completed by a check`(_ mode: SeatStore.Mode) async throws {
        try await TeamShop.open { shop async throws in
            let token = try await shop.invite()
            shop.seats.mode = mode
            #expect(try await shop.claim(token, for: TeamShop.ann).code == "seat.unconfirmed")
            shop.pass(seconds: 3_600)
            try await shop.check()
            #expect(try await shop.active() == [])
            shop.seats.mode = .available
            shop.pass(seconds: 3_600)
            try await shop.check()
            #expect(try await shop.active() == [TeamShop.ann])
            #expect(shop.seats.assigned.count == 1)
        }
    }

    private static let refusals: [(ServerAPIError, code: String)] = [
        (.noAvailableSeats, "team.no-available-seats"), (.appTransactionIdNotFound, "seat.app-transaction"),
        (.transactionNotDevManagedGroup, "seat.refused"),
    ]

    @Test(arguments: refusals)
    func `after a refusal of the App Store the invitation is valid again`(_ refusal: ServerAPIError, _ code: String) async throws {
        try await TeamShop.open { shop async throws in
            let token = try await shop.invite()
            shop.seats.refusal = refusal
            #expect(try await shop.claim(token, for: TeamShop.ann, appTransactionID: "704").code == code)
            #expect(try await shop.team().members.isEmpty)
            #expect(try await shop.team().invitations.count == 1)
            shop.seats.refusal = nil
            #expect(try await shop.claim(token, for: TeamShop.bob).status == .ok)
        }
    }

    @Test func `a token is valid once, until it expires or is withdrawn, and not for the owner`() async throws {
        try await TeamShop.open { shop async throws in
            for text in ["", "seat_", "seat_1.", "seat_.a", "seat_1.abc", "x", "seat_\(TeamShop.team).abc"] {
                #expect(try await shop.claim(text, for: TeamShop.ann).code == "seat.token-unknown", "\(text)")
            }
            let token = try await shop.invite(expiresInSeconds: 60)
            #expect(try await shop.claim(token, for: Shop.customer).code == "seat.owner")
            shop.clock.advance(seconds: 60)
            #expect(try await shop.claim(token, for: TeamShop.ann).code == "seat.token-expired")
            #expect(try await shop.team().invitations.isEmpty)

            let second = try await shop.invite()
            #expect(try await shop.claim(second, for: TeamShop.ann).status == .ok)
            #expect(try await shop.claim(second, for: TeamShop.bob).code == "seat.token-used")
            try await shop.release(TeamShop.ann)
            #expect(try await shop.claim(second, for: TeamShop.ann).code == "seat.token-used")

            let third = try await shop.invite()
            let id = try #require(try await shop.team().invitations.first?.id)
            let parameters = ["team": TeamShop.team.rawValue, "invitation": id]
            #expect(try await shop.shop.call(ServerEndpoints.withdrawInvitation, Empty(), parameters).status == .ok)
            #expect(try await shop.shop.call(ServerEndpoints.withdrawInvitation, Empty(), parameters).code == "invitation.unknown")
            #expect(try await shop.claim(third, for: TeamShop.bob).code == "seat.token-unknown")
        }
    }

    @Test func `a member who claims again keeps the seat, and does not use a further invitation`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann)
            #expect(try await shop.claim(shop.invite(), for: TeamShop.ann).status == .ok)
            #expect(shop.seats.assigned.count == 1)
            #expect(try await shop.team().invitations.count == 1)
        }
    }

    @Test func `a request about the team of another customer, or about a purchase without seats, is refused`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.shop.record(.bookSale, by: shop.shop.app)
            let apple = TransactionPayload.seats(3).with {
                ($0.transactionId, $0.originalTransactionId) = ("800", "800")
                $0.multiSeatInfo?.invitationManagement = InvitationManagement.apple.rawValue
            }
            try await shop.shop.record(apple, by: shop.shop.app)
            let requests: [(TransactionID, CustomerID)] = [
                (TeamShop.team, TeamShop.ann), ("800", Shop.customer), (TransactionPayload.bookSale.transactionId, Shop.customer),
                ("1", Shop.customer),
            ]
            for (team, customer) in requests {
                let answer = try await shop.shop.call(
                    ServerEndpoints.inviteMember, InviteMemberRequest(), ["team": team.rawValue], by: .backend(customer.rawValue))
                #expect(answer.code == "team.unknown", "\(team)")
            }
            let list = try await shop.shop.call(ServerEndpoints.teams, Empty()).value(TeamsReply.self)
            #expect(list.teams.map(\.team) == [TeamShop.team] && list.seats.isEmpty)
            let malformed = [
                InviteMemberRequest(note: String(repeating: "a", count: 201)),
                InviteMemberRequest(expiresInSeconds: 59), InviteMemberRequest(expiresInSeconds: 2_592_001),
            ]
            for request in malformed {
                let answer = try await shop.shop.call(ServerEndpoints.inviteMember, request, ["team": TeamShop.team.rawValue])
                #expect(answer.code == "invitation.malformed")
            }
        }
    }

    @Test func `a release ends the access at once, and the App Store's claim when the App Store answers`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann)
            shop.seats.mode = .away
            let reply = try await shop.release(TeamShop.ann).value(TeamReply.self)
            #expect(reply.members.map(\.state) == ["releasing"] && reply.free == 2)
            #expect(try await shop.active() == [])
            shop.seats.mode = .available
            let invitation = try #require(reply.members.first?.invitation)
            for _ in 0..<2 { #expect(try await shop.release(invitation: invitation).value(TeamReply.self).free == 3) }
            _ = try await shop.invite()
            let open = try #require(try await shop.team().invitations.first?.id)
            for unknown in [open, "inv_1"] { #expect(try await shop.release(invitation: unknown).code == "team.member-unknown") }
            #expect(shop.seats.released.count == 1)
        }
    }

    @Test func `a member can leave a team`() async throws {
        try await TeamShop.open { shop async throws in
            try await shop.join(TeamShop.ann, TeamShop.bob)
            let member = Shop.Sender.backend(TeamShop.ann.rawValue)
            let list = try await shop.shop.call(ServerEndpoints.teams, Empty(), by: member).value(TeamsReply.self)
            #expect(list.seats.map(\.team) == [TeamShop.team] && list.teams.isEmpty)
            let left = try await shop.shop.call(ServerEndpoints.leaveTeam, Empty(), ["team": TeamShop.team.rawValue], by: member)
            #expect(try left.value(TeamsReply.self).seats.isEmpty)
            #expect(try await shop.active() == [TeamShop.bob])
        }
    }

    @Test func `a lease, an explanation, a past date and a download follow the seat`() async throws {
        try await TeamShop.open { shop async throws in
            let start = shop.clock.now
            shop.clock.advance(seconds: 100)
            try await shop.join(TeamShop.ann)
            let member = Shop.Sender.backend(TeamShop.ann.rawValue)
            let unbroken = try await shop.app.entitlements.unbroken(of: .id(TeamShop.ann))
            #expect(unbroken.entitlements.map(\.isActive) == [true])
            #expect(try await shop.shop.downloadToken(.magazine, by: member).status == .ok)
            let token: DownloadToken = try await shop.shop.downloadToken(.magazine, by: member).value()
            #expect(try await shop.shop.content(token.token, of: .magazine).status == .ok)
            shop.clock.advance(seconds: 100)
            try await shop.release(TeamShop.ann)
            #expect(try await shop.shop.downloadToken(.magazine, by: member).status == .forbidden)
            #expect(try await shop.shop.content(token.token, of: .magazine).status == .forbidden)
            shop.clock.advance(seconds: 100)

            let dates: [(Int64, Bool)] = [(50, false), (100, true), (200, true), (201, false), (301, false)]
            for (seconds, isActive) in dates {
                let reply = try await shop.entitlement(of: TeamShop.ann, at: start.adding(seconds: seconds))
                #expect(reply.isActive == isActive, "\(seconds)")
            }
            let explanation = try await shop.shop.call(
                ServerEndpoints.explainEntitlement, Empty(), ["entitlement": ProductID.magazine.rawValue], by: member
            ).value(EntitlementExplanation.self)
            #expect(explanation.events.isEmpty && explanation.entitlement.state == .revoked)
            let seat = try #require(explanation.seats?.first)
            #expect(seat.team == TeamShop.team && seat.claimedAt == start.adding(seconds: 100))
            #expect(seat.endedAt == start.adding(seconds: 201) && seat.note.contains("released"))
            let evidence = try await shop.shop.call(ServerEndpoints.entitlements, Empty(), query: "?include=evidence", by: member)
            #expect(try evidence.value(EntitlementsReply.self).evidence == [])
        }
    }

    @Test func `the answers about teams match their schemas`() async throws {
        let document = try OpenAPIDocument("server")
        try await TeamShop.open(policy: TeamPolicy(surplus: .ownerChooses)) { shop async throws in
            func check(
                _ method: HTTPRequest.Method, _ template: String, _ body: String? = nil, by sender: Shop.Sender
            ) async throws -> Answer {
                let path = template.replacing("{team}", with: TeamShop.team.rawValue)
                let answer = try await shop.shop.send(method, path, sender, body.map { Data($0.utf8) })
                #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
                let differences = try document.differences(of: answer.body, to: "\(method.rawValue) \(template)")
                #expect(differences.isEmpty, "\(differences)")
                return answer
            }
            func withID(_ method: HTTPRequest.Method, _ template: String, _ id: String) async throws {
                let path = template.replacing("{team}", with: TeamShop.team.rawValue).replacing("{invitation}", with: id)
                let answer = try await shop.shop.send(method, path, shop.shop.backend)
                let differences = try document.differences(of: answer.body, to: "\(method.rawValue) \(template)")
                #expect(answer.status == .ok && differences.isEmpty, "\(differences)")
            }
            let (owner, member) = (shop.shop.backend, Shop.Sender.backend(TeamShop.ann.rawValue))
            let team = "/v1/customer/teams/{team}"
            let invitation = try await check(.post, "\(team)/invitations", #"{"note":"for Ann","expiresInSeconds":600}"#, by: owner)
            let body = #"{"token":"\#(try invitation.value(InvitationReply.self).token)","appTransactionID":"704"}"#
            _ = try await check(.post, "/v1/customer/seats", body, by: member)
            try await shop.join(TeamShop.bob, TeamShop.cat)
            shop.seats.addForeignClaim()
            try await shop.renew(1)
            try await shop.check()
            let reply = try await check(.get, team, by: owner).value(TeamReply.self)
            #expect(reply.surplus == 2 && reply.surplusReleaseDate != nil && reply.unknownClaims == 1)
            _ = try await check(.get, "/v1/customer/teams", by: owner)
            _ = try await check(.get, "/v1/customer/teams", by: member)
            let explanation = "/v1/customer/entitlements/{entitlement}/explanation"
            let explained = try await shop.shop.send(
                .get, explanation.replacing("{entitlement}", with: ProductID.magazine.rawValue), member)
            #expect(try document.differences(of: explained.body, to: "GET \(explanation)").isEmpty)
            #expect(try explained.value(EntitlementExplanation.self).seats?.count == 1)
            let last = try #require(reply.members.last?.invitation)
            try await withID(.delete, "\(team)/members/{invitation}", last)
            let further = try await check(.post, "\(team)/invitations", "{}", by: owner).value(InvitationReply.self)
            try await withID(.delete, "\(team)/invitations/{invitation}", further.id)
            _ = try await check(.delete, "/v1/customer/seats/{team}", by: member)
        }
    }
}
