package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Lists the teams that the customer owns, and the seats that the customer has in the teams of others.
    package static let teams = Endpoint<Empty, TeamsReply>(.get, "/v1/customer/teams")
    /// Reads a team that the customer owns, with its members and invitations.
    package static let team = Endpoint<Empty, TeamReply>(.get, "/v1/customer/teams/{team}")
    /// Creates an invitation to a team that the customer owns.
    package static let inviteMember = Endpoint<InviteMemberRequest, InvitationReply>(.post, "/v1/customer/teams/{team}/invitations")
    /// Withdraws an invitation that no customer has accepted.
    package static let withdrawInvitation = Endpoint<Empty, TeamReply>(
        .delete, "/v1/customer/teams/{team}/invitations/{invitation}")
    /// Releases the seat of the member who accepted an invitation to a team that the customer owns.
    package static let releaseMember = Endpoint<Empty, TeamReply>(.delete, "/v1/customer/teams/{team}/members/{invitation}")
    /// Claims a seat for the customer, with the token of an invitation.
    package static let claimSeat = Endpoint<ClaimTeamSeatRequest, SeatReply>(.post, "/v1/customer/seats")
    /// Releases the customer's seat in a team.
    package static let leaveTeam = Endpoint<Empty, TeamsReply>(.delete, "/v1/customer/seats/{team}")
}

/// A request to create an invitation to a team.
package struct InviteMemberRequest: Codable, Hashable, Sendable {
    /// The owner's text about the invited person, at most 200 bytes; nil for none.
    package var note: String?
    /// The lifetime of the invitation in seconds, from 60 to 2,592,000 (30 days); nil for 7 days.
    package var expiresInSeconds: Int64?

    package init(note: String? = nil, expiresInSeconds: Int64? = nil) {
        self.note = note
        self.expiresInSeconds = expiresInSeconds
    }
}

/// A new invitation, with the token that the app or its backend sends to the invited person.
package struct InvitationReply: Codable, Hashable, Sendable {
    /// The team, named by the original transaction identifier of the owner's subscription.
    package var team: TransactionID
    /// The identifier of the invitation within the team.
    package var id: String
    /// The token, which one customer can use once; the server stores a digest only.
    package var token: String
    package var expiresAt: Timestamp

    package init(team: TransactionID, id: String, token: String, expiresAt: Timestamp) {
        self.team = team
        self.id = id
        self.token = token
        self.expiresAt = expiresAt
    }
}

/// A request to claim a seat with the token of an invitation.
package struct ClaimTeamSeatRequest: Codable, Hashable, Sendable {
    /// The token of the invitation.
    package var token: String
    /// The `appTransactionId` of the member, which associates the claim with the member's App Store account; nil for none.
    package var appTransactionID: String?

    package init(token: String, appTransactionID: String? = nil) {
        self.token = token
        self.appTransactionID = appTransactionID
    }
}

/// A customer's seat in a team.
package struct SeatReply: Codable, Hashable, Sendable {
    /// The team, named by the original transaction identifier of the owner's subscription.
    package var team: TransactionID
    package var productID: ProductID
    /// Whether the seat gives the entitlements of the product now.
    package var isActive: Bool
    /// The end of the access that the subscription gives; nil without access.
    package var until: Timestamp?
    /// The date when the App Store confirmed the claim; nil before.
    package var claimedAt: Timestamp?

    package init(team: TransactionID, productID: ProductID, isActive: Bool, until: Timestamp?, claimedAt: Timestamp?) {
        self.team = team
        self.productID = productID
        self.isActive = isActive
        self.until = until
        self.claimedAt = claimedAt
    }
}

/// The teams of a customer.
package struct TeamsReply: Codable, Hashable, Sendable {
    /// The customer; nil for an alias that no customer has.
    package var customer: CustomerID?
    /// The teams that the customer owns, sorted by their names.
    package var teams: [TeamReply]
    /// The customer's open seats in the teams of others, sorted by team.
    package var seats: [SeatReply]

    package init(customer: CustomerID?, teams: [TeamReply] = [], seats: [SeatReply] = []) {
        self.customer = customer
        self.teams = teams
        self.seats = seats
    }
}

/// A team: a multi-seat subscription whose members the app's backend invites.
package struct TeamReply: Codable, Hashable, Sendable {
    /// An invitation that no customer has accepted.
    package struct Invitation: Codable, Hashable, Sendable {
        package var id: String
        package var note: String?
        package var createdAt: Timestamp
        package var expiresAt: Timestamp

        package init(id: String, note: String?, createdAt: Timestamp, expiresAt: Timestamp) {
            self.id = id
            self.note = note
            self.createdAt = createdAt
            self.expiresAt = expiresAt
        }
    }

    /// A customer who occupies a seat.
    package struct Member: Codable, Hashable, Sendable {
        package var customer: CustomerID
        /// The identifier of the accepted invitation, which names the member in a request to release the seat.
        package var invitation: String
        /// The state: `requested` until the App Store has confirmed the claim, `claimed`, or `releasing` until the App Store has confirmed
        /// the release.
        package var state: String
        package var requestedAt: Timestamp
        /// The date when the App Store confirmed the claim; nil before.
        package var claimedAt: Timestamp?

        package init(customer: CustomerID, invitation: String, state: String, requestedAt: Timestamp, claimedAt: Timestamp?) {
            self.customer = customer
            self.invitation = invitation
            self.state = state
            self.requestedAt = requestedAt
            self.claimedAt = claimedAt
        }
    }

    /// The name of the team: the original transaction identifier of the owner's subscription.
    package var team: TransactionID
    package var productID: ProductID
    /// Whether the subscription gives access now.
    package var isActive: Bool
    /// The end of the access that the subscription gives; nil without access.
    package var until: Timestamp?
    /// The number of seats of the running period; the owner occupies none of them.
    package var seats: Int
    /// The number of seats that the members occupy.
    package var claimed: Int
    /// The number of seats that can be claimed.
    package var free: Int
    /// The number of members without a seat, after a renewal with fewer seats or a refund; nil for none.
    package var surplus: Int?
    /// The date from which the server releases the newest members without a seat; nil if the server has not planned a release.
    package var surplusReleaseDate: Timestamp?
    /// The number of claims that the App Store lists and the server does not know; nil for none.
    package var unknownClaims: Int?
    /// The members, oldest first.
    package var members: [Member]
    /// The open invitations, oldest first.
    package var invitations: [Invitation]

    package init(
        team: TransactionID, productID: ProductID, isActive: Bool, until: Timestamp?, seats: Int, claimed: Int, free: Int, surplus: Int?,
        surplusReleaseDate: Timestamp?, unknownClaims: Int?, members: [Member], invitations: [Invitation]
    ) {
        self.team = team
        self.productID = productID
        self.isActive = isActive
        self.until = until
        self.seats = seats
        self.claimed = claimed
        self.free = free
        self.surplus = surplus
        self.surplusReleaseDate = surplusReleaseDate
        self.unknownClaims = unknownClaims
        self.members = members
        self.invitations = invitations
    }
}
