/// A response with the seats of a group subscription whose members the developer's server invites.
///
/// Source: Apple's `GetSeatInfoResponse`.
public struct GetSeatInfoResponse: Codable, Hashable, Sendable {
    /// The number of seats.
    public var totalSeatCount: Int?
    /// The number of seats that can be claimed.
    public var availableSeatCount: Int?
    /// The identifiers of the active claims, which can be more than the seats after a renewal with fewer seats.
    public var assignedSeatClaimIds: [String]?

    /// Creates a response.
    public init(totalSeatCount: Int?, availableSeatCount: Int?, assignedSeatClaimIds: [String]?) {
        self.totalSeatCount = totalSeatCount
        self.availableSeatCount = availableSeatCount
        self.assignedSeatClaimIds = assignedSeatClaimIds
    }
}

/// A response with the claim of a seat.
///
/// Source: Apple's `ClaimSeatResponse`.
public struct ClaimSeatResponse: Codable, Hashable, Sendable {
    /// The identifier of the claim, which is new for each claim of a seat.
    public var seatClaimId: String

    /// Creates a response.
    public init(seatClaimId: String) {
        self.seatClaimId = seatClaimId
    }
}

/// A response with the groups of a customer; empty for a customer in no group.
///
/// Source: Apple's `GetCustomerGroupsResponse`.
public struct GetCustomerGroupsResponse: Codable, Hashable, Sendable {
    /// The groups.
    public var groups: [GroupEntry]

    /// Creates a response.
    public init(groups: [GroupEntry]) {
        self.groups = groups
    }
}

/// A group that a customer belongs to.
///
/// A group is informational: the customer's transactions give the access. A group ends with its subscription.
public struct GroupEntry: Codable, Hashable, Sendable {
    /// The identifier of the group, which is unique within the app.
    public var groupId: String
    /// The type of the group, as Apple spells it.
    public var groupType: String?
    /// The customer's roles by product; only groups of organizations have them.
    public var roles: [GroupRole]?

    /// Creates a group.
    public init(groupId: String, groupType: GroupType, roles: [GroupRole]? = nil) {
        self.groupId = groupId
        self.groupType = groupType.rawValue
        self.roles = roles
    }

    /// The type of the group; nil when the field is absent or has an unknown value.
    public var type: GroupType? { groupType.flatMap { GroupType(rawValue: $0) } }
}

/// The type of a group that shares a subscription.
public enum GroupType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A customer bought seats and invites others.
    case consumer = "CONSUMER"
    /// An organization bought seats with Apple Business or School Manager, and assigns them.
    case organization = "ORGANIZATION"
}

/// A customer's role in a group for one product.
public struct GroupRole: Codable, Hashable, Sendable {
    /// The product.
    public var productId: ProductID
    /// The role: `ADMIN`, or `NONE` for a seat without administration.
    public var role: String

    /// Creates a role.
    public init(productId: ProductID, role: String) {
        self.productId = productId
        self.role = role
    }
}

/// A page of the members of a group.
///
/// Source: Apple's `GetGroupMembersResponse`.
public struct GetGroupMembersResponse: Codable, Hashable, Sendable {
    /// A member of a group.
    public struct Member: Codable, Hashable, Sendable {
        /// The app transaction identifier of the member.
        public var appTransactionId: String

        /// Creates a member.
        public init(appTransactionId: String) {
            self.appTransactionId = appTransactionId
        }
    }

    /// The members.
    public var members: [Member]
    /// Whether the group has more members after this page.
    public var hasMore: Bool
    /// The token of the next page; absent on the last page.
    public var paginationToken: String?

    /// Creates a page.
    public init(members: [Member], hasMore: Bool, paginationToken: String? = nil) {
        self.members = members
        self.hasMore = hasMore
        self.paginationToken = paginationToken
    }
}
