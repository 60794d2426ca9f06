import Foundation
import FoundationExtras
import HTTPTypes
import OpenStoreKit
import PurchaseModel
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Wire

/// The actions of a script about seats: of the store, of its accounts, and of the developer's backend, which invites members.
struct SeatActions {
    let world: SimulatedWorld

    func perform(_ step: SimulationStep) async throws {
        do {
            try await performOrThrow(step)
        } catch is Refused {
            // An action that the store refuses changes nothing.
        } catch is StoreTransportError {
            // The store's process has ended.
        }
    }

    private func performOrThrow(_ step: SimulationStep) async throws {
        let store = world.store
        switch step {
        case .renewalSeats(let owner, let item, let seats):
            guard let id = try await subscription(of: owner, item) else { return }
            world.acknowledgments.seatsCanEnd(of: owner, fromNowOn: true)
            try await store.perform(SubscriptionRequest(.setRenewalSeats, seats: seats), on: id)
        case .refundSeats(let charge, let seats):
            let transactions = try await store.seatTransactions()
            guard !transactions.isEmpty else { return }
            let (id, left) = transactions[charge % transactions.count]
            guard left > 0 else { return }
            world.acknowledgments.seatsCanEnd(of: nil)
            _ = try await store.call(ControlEndpoints.refund, IssueRefund(transactionID: id, seats: min(max(seats, 1), left)))
        case .join(let owner, let member):
            guard let id = try await subscription(of: owner, .team), world.accounts.indices.contains(member) else { return }
            let request = SeatMemberRequest(account: world.accounts[member])
            _ = try await store.call(ControlEndpoints.addSeatMember, request, ["transaction": id.rawValue])
        case .leave(let owner, let member):
            guard let id = try await subscription(of: owner, .team), world.accounts.indices.contains(member) else { return }
            let parameters = ["transaction": id.rawValue, "account": world.accounts[member].rawValue]
            _ = try await store.call(ControlEndpoints.removeSeatMember, Empty(), parameters)
        case .claimSeat(let owner, let member):
            guard let team = try await subscription(of: owner, .crew), world.customers.indices.contains(member) else { return }
            try await claim(team, Acknowledgments.Seat(owner: owner, customer: world.customers[member]))
        case .releaseSeat(let owner, let member):
            guard let team = try await subscription(of: owner, .crew), world.customers.indices.contains(member) else { return }
            world.acknowledgments.seatsCanEnd(of: owner, for: world.customers[member])
            await release(team, Acknowledgments.Seat(owner: owner, customer: world.customers[member]))
        case .unclaimSeat(let owner):
            guard let seats = try await seats(of: owner, .crew), let claim = seats.claims.first else { return }
            world.acknowledgments.seatsCanEnd(of: owner)
            let request = ReleaseSeatClaimsRequest(seatClaimIDs: [claim])
            _ = try await store.call(ControlEndpoints.releaseSeatClaims, request, ["transaction": seats.id.rawValue])
        default: break
        }
    }

    private func seats(of account: Int, _ item: SimulatedCatalog.Item) async throws -> StoredSeats? {
        guard world.accounts.indices.contains(account) else { return nil }
        return try await world.store.seatSubscriptions().last { $0.account == world.accounts[account] && $0.productID == item.id }
    }

    private func subscription(of account: Int, _ item: SimulatedCatalog.Item) async throws -> TransactionID? {
        try await seats(of: account, item)?.id
    }

    // MARK: The developer's backend

    /// Claims a seat with a new invitation, or again with the invitation whose claim has no definite answer.
    private func claim(_ team: TransactionID, _ seat: Acknowledgments.Seat) async throws {
        var known = world.acknowledgments.lists.invitationTokens[seat]
        if known == nil {
            let owner = world.customers[seat.owner]
            known = await call(ServerEndpoints.inviteMember, InviteMemberRequest(), ["team": team.rawValue], for: owner).reply?.token
        }
        guard let token = known else { return }
        world.acknowledgments.change { $0.invitationTokens[seat] = token }
        let (status, reply) = await call(ServerEndpoints.claimSeat, ClaimTeamSeatRequest(token: token), for: seat.customer)
        guard let status, status != 503 else { return }
        world.acknowledgments.change { $0.invitationTokens[seat] = nil }
        guard let reply, reply.claimedAt != nil else { return }
        let claims = try await ServerRecords(of: world.server).claims
        for claim in claims where claim.team == reply.team && claim.customer == seat.customer && claim.state == "claimed" {
            if let id = claim.seatClaimID { world.acknowledgments.acknowledge(id, of: seat) }
        }
    }

    /// Releases the seat of a customer at the owner's request.
    private func release(_ team: TransactionID, _ seat: Acknowledgments.Seat) async {
        let (owner, parameters) = (world.customers[seat.owner], ["team": team.rawValue])
        guard let members = await call(ServerEndpoints.team, Empty(), parameters, for: owner).reply?.members,
            let invitation = members.first(where: { $0.customer == seat.customer })?.invitation
        else { return }
        _ = await call(ServerEndpoints.releaseMember, Empty(), ["team": team.rawValue, "invitation": invitation], for: owner)
    }

    /// Calls the server for a customer; the status is nil if the server's process does not answer, and the reply is nil for an error.
    private func call<Request, Reply>(
        _ endpoint: Endpoint<Request, Reply>, _ body: Request, _ parameters: [String: String] = [:], for customer: CustomerID
    ) async -> (status: Int?, reply: Reply?) {
        let content = endpoint.method == .post ? try? WireJSON.encode(body) : nil
        guard let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue),
            let answer = try? await world.server.send(method, endpoint.path(parameters), world.server.headers(of: customer), content)
        else { return (nil, nil) }
        guard (200..<300).contains(answer.status) else { return (answer.status, nil) }
        return (answer.status, try? WireJSON.decode(Reply.self, from: answer.body))
    }
}
