public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Returns the seats of a subscription, identified by its original transaction identifier.
    package static let seats = Endpoint<Empty, SeatsDescription>(.get, "/control/v1/subscriptions/{transaction}/seats")
    /// Adds an account to a group whose members the App Store invites.
    package static let addSeatMember = Endpoint<SeatMemberRequest, SeatsDescription>(
        .post, "/control/v1/subscriptions/{transaction}/seats/members")
    /// Removes an account from a group whose members the App Store invites.
    package static let removeSeatMember = Endpoint<Empty, SeatsDescription>(
        .delete, "/control/v1/subscriptions/{transaction}/seats/members/{account}")
    /// Releases claims of a group whose members the developer's server invites, as the App Store does.
    package static let releaseSeatClaims = Endpoint<ReleaseSeatClaimsRequest, SeatsDescription>(
        .post, "/control/v1/subscriptions/{transaction}/seats/release")
}

/// The seats of a subscription, with the members and the claims that occupy them.
public struct SeatsDescription: Codable, Hashable, Sendable {
    /// An account that is a member of a group, and has separate transactions.
    public struct Member: Codable, Hashable, Sendable {
        /// The account name.
        public var account: AccountID
        /// The original transaction identifier of the member's subscription.
        public var originalTransactionID: TransactionID

        package init(account: AccountID, originalTransactionID: TransactionID) {
            self.account = account
            self.originalTransactionID = originalTransactionID
        }
    }

    /// A claim of the developer's server.
    public struct Claim: Codable, Hashable, Sendable {
        /// The identifier of the claim.
        public var seatClaimID: String
        /// The `appTransactionId` of the member; nil for a member who is not associated.
        public var appTransactionID: String?
        /// The date of the claim.
        public var claimedAt: Timestamp

        package init(seatClaimID: String, appTransactionID: String?, claimedAt: Timestamp) {
            self.seatClaimID = seatClaimID
            self.appTransactionID = appTransactionID
            self.claimedAt = claimedAt
        }
    }

    /// The original transaction identifier of the purchaser's subscription.
    public var originalTransactionID: TransactionID
    /// Who invites the members: the App Store or the developer's server.
    public var invitationManagement: InvitationManagement
    /// The number of seats that are not refunded.
    public var total: Int
    /// The number of free seats.
    public var available: Int
    /// The number of seats with which the subscription renews.
    public var atRenewal: Int
    /// The members whom the App Store invited, in the order in which they joined.
    public var members: [Member]
    /// The active claims of the developer's server, oldest first.
    public var claims: [Claim]

    package init(
        originalTransactionID: TransactionID, invitationManagement: InvitationManagement, total: Int, available: Int, atRenewal: Int,
        members: [Member], claims: [Claim]
    ) {
        self.originalTransactionID = originalTransactionID
        self.invitationManagement = invitationManagement
        self.total = total
        self.available = available
        self.atRenewal = atRenewal
        self.members = members
        self.claims = claims
    }
}

/// A request to add an account to a group.
package struct SeatMemberRequest: Codable, Hashable, Sendable {
    /// The account; the store creates it if it does not exist.
    package var account: AccountID

    /// Creates a request.
    package init(account: AccountID) {
        self.account = account
    }
}

/// A request to release claims of seats.
package struct ReleaseSeatClaimsRequest: Codable, Hashable, Sendable {
    /// The identifiers of the claims.
    package var seatClaimIDs: [String]

    /// Creates a request.
    package init(seatClaimIDs: [String]) {
        self.seatClaimIDs = seatClaimIDs
    }
}
