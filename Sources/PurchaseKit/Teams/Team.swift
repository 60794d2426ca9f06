public import Foundation
public import PurchaseModel
package import ServerProtocol

/// A subscription in seats, whose members the developer's server invites.
public struct Team: Hashable, Sendable {
    /// A customer who occupies a seat.
    public struct Member: Hashable, Sendable {
        /// The state of a member's seat.
        public enum State: String, Hashable, Sendable {
            /// The App Store has not confirmed the claim, so that the member has no access yet.
            case requested
            /// The member has access while the subscription is active.
            case claimed
            /// The seat is released as soon as the App Store confirms the release.
            case releasing
        }

        /// The customer of the developer's server.
        public let customer: CustomerID
        /// The identifier of the invitation that the member accepted.
        public let invitation: String
        /// The state of the seat; nil for a state that this version does not know.
        public let state: State?

        /// A sentence that states the state of the seat to the owner.
        public var text: String {
            switch state {
            case .requested: "The App Store has not confirmed the seat yet."
            case .claimed: "The member uses a seat."
            case .releasing: "The App Store has not confirmed the removal yet."
            case nil: "Update the app to see the state of the seat."
            }
        }
    }

    /// An invitation that no customer has accepted.
    public struct Invitation: Hashable, Sendable {
        /// The identifier of the invitation within the team.
        public let id: String
        /// The owner's text about the invited person; nil for none.
        public let note: String?
        /// The date from which the invitation can't be accepted.
        public let expires: Timestamp
    }

    /// The identifier of the team: the original transaction identifier of the owner's subscription.
    public let id: TransactionID
    /// The subscription's product.
    public let productID: ProductID
    /// The end of the access that the subscription gives; nil without access.
    public let until: Timestamp?
    /// The number of seats, of which the owner needs none.
    public let seats: Int
    /// The number of free seats.
    public let free: Int
    /// The number of members for whom the team has no seat, such as after a renewal with fewer seats.
    public let surplus: Int
    /// The date from which the server removes the newest members without a seat; nil for none.
    ///
    /// Until then, the owner can choose whom to remove.
    public let surplusReleaseDate: Timestamp?
    /// The members, oldest first.
    public let members: [Member]
    /// The open invitations, oldest first.
    public let invitations: [Invitation]

    /// A sentence that states the use of the seats to the owner.
    public var text: String {
        if until == nil { return "The subscription has ended, and the members have no access." }
        if surplus > 0 {
            let members = surplus == 1 ? "1 member has" : "\(surplus) members have"
            return "\(members) no seat. Remove members or add seats."
        }
        return free == 1 ? "1 of \(seats) seats is free." : "\(free) of \(seats) seats are free."
    }

    package init(_ reply: TeamReply) {
        id = reply.team
        productID = reply.productID
        until = reply.isActive ? reply.until : nil
        seats = reply.seats
        free = reply.free
        surplus = reply.surplus ?? 0
        surplusReleaseDate = reply.surplusReleaseDate
        members = reply.members.map {
            Member(customer: $0.customer, invitation: $0.invitation, state: Member.State(rawValue: $0.state))
        }
        invitations = reply.invitations.map { Invitation(id: $0.id, note: $0.note, expires: $0.expiresAt) }
    }
}

/// A customer's seat in the team of another customer.
public struct TeamSeat: Hashable, Sendable {
    /// The identifier of the team.
    public let team: TransactionID
    /// The product of the owner's subscription.
    public let productID: ProductID
    /// The end of the access that the seat gives; nil without access.
    public let until: Timestamp?

    package init(_ reply: SeatReply) {
        team = reply.team
        productID = reply.productID
        until = reply.isActive ? reply.until : nil
    }
}

/// A new invitation to a team.
public struct TeamInvitation: Hashable, Sendable {
    /// The identifier of the invitation within the team.
    public let id: String
    /// The token that admits one customer once, such as in a link that the app shares.
    public let token: String
    /// The date from which the invitation can't be accepted.
    public let expires: Timestamp

    package init(_ reply: InvitationReply) {
        id = reply.id
        token = reply.token
        expires = reply.expiresAt
    }
}

/// The reason why a request about a team failed.
public struct TeamError: LocalizedError, Hashable, Sendable {
    /// The kind of the failure.
    public enum Kind: Hashable, Sendable {
        /// The server could not be reached, or the App Store has not confirmed the request; the same request can succeed later.
        case retryable
        /// Each seat of the team is occupied.
        case noAvailableSeats
        /// The invitation is unknown, expired, or used by another customer.
        case invalidInvitation
        /// The app has no server, or the server refuses the request; ``message`` states the reason.
        case refused
    }

    /// The kind of the failure.
    public let kind: Kind
    /// A sentence that states the failure and the next step.
    public let message: String

    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { message }
}
