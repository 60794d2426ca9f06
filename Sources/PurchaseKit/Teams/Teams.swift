public import PurchaseModel
import ServerProtocol
import Wire

/// The teams of the app's customer, as an owner and as a member, at the developer's server.
///
/// A team is a subscription that was purchased in seats with `Purchases.buy(_:seats:)`, if the app invites the members itself. The server is the
/// record of the members. A member has the entitlements of the owner's subscription, which the kit receives with the lease of the server.
public struct Teams: Sendable {
    private let service: (any PurchaseService)?
    private let changed: @Sendable () async -> Void

    /// Creates the teams of a server's customer.
    ///
    /// - Parameters:
    ///   - service: The requests to the server; nil for an app without a server.
    ///   - changed: Called after a change of the customer's own seats.
    package init(_ service: (any PurchaseService)?, changed: @escaping @Sendable () async -> Void = {}) {
        self.service = service
        self.changed = changed
    }

    /// Reads the teams that the customer owns, and the customer's seats in the teams of others.
    public func read() async throws(TeamError) -> (owned: [Team], seats: [TeamSeat]) {
        let reply = try await send(ServerEndpoints.teams, Empty())
        return (reply.teams.map { Team($0) }, reply.seats.map { TeamSeat($0) })
    }

    /// Creates an invitation to a team that the customer owns.
    ///
    /// - Parameters:
    ///   - team: The identifier of the team.
    ///   - note: The owner's text about the invited person, at most 200 bytes; nil for none.
    ///   - lifetime: The time until the invitation expires, from a minute to 30 days; nil for 7 days.
    public func invite(
        to team: TransactionID, note: String? = nil, expiringAfter lifetime: Duration? = nil
    ) async throws(TeamError) -> TeamInvitation {
        let request = InviteMemberRequest(note: note, expiresInSeconds: lifetime?.components.seconds)
        return TeamInvitation(try await send(ServerEndpoints.inviteMember, request, ["team": team.rawValue]))
    }

    /// Withdraws an invitation that no customer has accepted.
    ///
    /// - Parameters:
    ///   - invitation: The identifier of the invitation.
    ///   - team: The identifier of the team.
    /// - Returns: The team after the change.
    @discardableResult
    public func withdraw(_ invitation: String, of team: TransactionID) async throws(TeamError) -> Team {
        Team(try await send(ServerEndpoints.withdrawInvitation, Empty(), ["team": team.rawValue, "invitation": invitation]))
    }

    /// Removes a member from a team that the customer owns.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - team: The identifier of the team.
    /// - Returns: The team after the change.
    @discardableResult
    public func remove(_ member: Team.Member, from team: TransactionID) async throws(TeamError) -> Team {
        Team(try await send(ServerEndpoints.releaseMember, Empty(), ["team": team.rawValue, "invitation": member.invitation]))
    }

    /// Accepts an invitation: claims a seat for the customer, who then has the entitlements of the team's subscription.
    ///
    /// - Parameters:
    ///   - token: The token of the invitation.
    ///   - appTransactionID: The `appTransactionID` of the customer's `AppTransaction`, which associates the seat with the App Store account;
    ///     nil for none.
    public func join(with token: String, appTransactionID: String? = nil) async throws(TeamError) -> TeamSeat {
        let request = ClaimTeamSeatRequest(token: token, appTransactionID: appTransactionID)
        let seat = TeamSeat(try await send(ServerEndpoints.claimSeat, request))
        await changed()
        return seat
    }

    /// Releases the customer's seat in the team of another customer.
    ///
    /// - Parameter team: The identifier of the team.
    public func leave(_ team: TransactionID) async throws(TeamError) {
        _ = try await send(ServerEndpoints.leaveTeam, Empty(), ["team": team.rawValue])
        await changed()
    }

    private func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ request: Request, _ parameters: [String: String] = [:]
    ) async throws(TeamError) -> Response {
        guard let service else { throw TeamError(kind: .refused, message: "The app has no server that keeps teams.") }
        do throws(WireClientError) {
            return try await service.send(endpoint, request, parameters: parameters)
        } catch {
            throw TeamError(error)
        }
    }
}

extension TeamError {
    fileprivate init(_ error: WireClientError) {
        guard case .refused(_, let refusal) = error else {
            self.init(kind: .retryable, message: "The server can't be reached. Check the network connection, and try again.")
            return
        }
        let kind: Kind =
            switch refusal.code {
            case "team.no-available-seats": .noAvailableSeats
            case "seat.token-unknown", "seat.token-used", "seat.token-expired": .invalidInvitation
            default: error.isRetryable ? .retryable : .refused
            }
        self.init(kind: kind, message: refusal.message)
    }
}
