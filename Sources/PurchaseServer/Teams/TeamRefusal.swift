import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a request about a team.
enum TeamRefusal: Error, Hashable {
    /// The app has no key of the App Store Server API, or none for the environment of the purchase.
    case notConfigured
    /// The customer owns no team with this name.
    case unknownTeam
    /// The subscription of the team gives no access.
    case inactive
    /// The note is too long or contains a control character, or the lifetime is out of range.
    case invitationMalformed
    /// The team has too many open invitations.
    case invitationLimit
    /// The team has no open invitation with this identifier.
    case unknownInvitation
    /// No invitation has the token.
    case unknownToken
    /// Another customer accepted the invitation, or the seat was released.
    case usedToken
    /// The invitation has expired.
    case expiredToken
    /// Each seat of the team is claimed.
    case noAvailableSeats
    /// The customer owns the team.
    case owner
    /// The team has no such member.
    case unknownMember
    /// The app transaction identifier is malformed, or the App Store does not know it.
    case appTransaction
    /// The App Store refuses the claim; the text is the App Store's reason.
    case refused(String)
    /// The App Store has not confirmed the claim.
    case unconfirmed
}

extension TeamRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .invitationMalformed, .appTransaction: .badRequest
        case .unknownTeam, .unknownInvitation, .unknownToken, .unknownMember: .notFound
        case .notConfigured, .inactive, .invitationLimit, .usedToken, .expiredToken, .noAvailableSeats, .owner, .refused: .conflict
        case .unconfirmed: .serviceUnavailable
        }
    }

    var retryAfterSeconds: Int? { self == .unconfirmed ? 30 : nil }

    var wireError: WireError {
        switch self {
        case .notConfigured:
            WireError(
                code: "team.not-configured",
                message: "The server can't claim seats at the App Store. Set the keys app-store-server-api.… of the configuration.")
        case .unknownTeam:
            WireError(
                code: "team.unknown",
                message: """
                    The customer owns no team with this name. A team is the originalTransactionId of a subscription with seats and \
                    developer-hosted invitations. GET /v1/customer/teams lists the teams.
                    """)
        case .inactive:
            WireError(code: "team.inactive", message: "The subscription of the team gives no access. The owner can subscribe again.")
        case .invitationMalformed:
            WireError(
                code: "invitation.malformed",
                message: """
                    Set note to a text of at most \(TeamService.noteLimit) bytes without control characters, and expiresInSeconds to \
                    \(TeamService.lifetimes.lowerBound) to \(TeamService.lifetimes.upperBound).
                    """)
        case .invitationLimit:
            WireError(
                code: "invitation.limit",
                message: "The team has \(TeamService.invitationLimit) open invitations, which is the maximum. Withdraw an invitation.")
        case .unknownInvitation:
            WireError(
                code: "invitation.unknown",
                message: "The team has no open invitation with this identifier. GET /v1/customer/teams/TEAM lists the invitations.")
        case .unknownToken:
            WireError(
                code: "seat.token-unknown",
                message: "No invitation has this token. The owner may have withdrawn the invitation. Ask the owner for a new invitation.")
        case .usedToken:
            WireError(code: "seat.token-used", message: "The invitation was accepted before. Ask the owner for a new invitation.")
        case .expiredToken:
            WireError(code: "seat.token-expired", message: "The invitation has expired. Ask the owner for a new invitation.")
        case .noAvailableSeats:
            WireError(
                code: "team.no-available-seats",
                message: "Each seat of the team is claimed. The owner can release a member or buy seats; the invitation stays valid.")
        case .owner:
            WireError(code: "seat.owner", message: "The customer owns the team, and needs no seat.")
        case .unknownMember:
            WireError(
                code: "team.member-unknown",
                message: "The team has no such member. GET /v1/customer/teams/TEAM lists the members with their invitations.")
        case .appTransaction:
            WireError(
                code: "seat.app-transaction",
                message: "Set appTransactionID to the member's appTransactionId of this app and environment, or omit appTransactionID.")
        case .refused(let reason):
            WireError(code: "seat.refused", message: "The App Store refuses the claim: \(reason) The invitation stays valid.")
        case .unconfirmed:
            WireError(
                code: "seat.unconfirmed",
                message: "The App Store has not confirmed the claim. Send the same request again; the server claims at most one seat.")
        }
    }
}
