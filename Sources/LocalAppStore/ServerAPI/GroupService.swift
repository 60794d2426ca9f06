import PurchaseModel

/// The service that answers requests about groups that share a subscription.
///
/// The store sells no seats, so that no customer is in a group. In the sandbox, such a customer is in a placeholder group, as in Apple's.
struct GroupService: Sendable {
    let context: StoreContext

    /// The largest number of members on a page.
    private static let pageLimit = 100
    private static let placeholderGroup = "900000000000000000"
    private static let placeholderMember = "700000000000000000"

    /// Returns the groups of an account (Get Customer Groups).
    ///
    /// - Parameter id: The identifier of any transaction of the account, or its `appTransactionId`.
    func groups(of id: String, in scope: APIScope) async throws -> GetCustomerGroupsResponse {
        _ = try await context.read { db in try scope.accountID(id, db) }
        guard scope.environment == .sandbox else { return GetCustomerGroupsResponse(groups: []) }
        let roles = [
            GroupRole(productId: "com.example.product1", role: "ADMIN"), GroupRole(productId: "com.example.product2", role: "NONE"),
        ]
        return GetCustomerGroupsResponse(
            groups: [GroupEntry(groupId: Self.placeholderGroup, groupType: .organization, roles: roles)])
    }

    /// Returns a page of a group's members (Get Group Members).
    ///
    /// - Throws: ``ServerAPIError/invalidGroupId``, ``ServerAPIError/invalidLimit``, ``ServerAPIError/invalidPaginationToken`` or
    ///   ``ServerAPIError/groupNotFound``.
    func members(of id: String, _ query: ServerAPIQuery, in scope: APIScope) throws -> GetGroupMembersResponse {
        guard (1...24).contains(id.utf8.count), id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw ServerAPIError.invalidGroupId
        }
        for text in query.values("limit") {
            guard let limit = Int(text), (1...Self.pageLimit).contains(limit) else { throw ServerAPIError.invalidLimit }
        }
        // The placeholder has one page, so that no token is valid.
        guard query.values("paginationToken").isEmpty else { throw ServerAPIError.invalidPaginationToken }
        guard scope.environment == .sandbox, id == Self.placeholderGroup else { throw ServerAPIError.groupNotFound }
        return GetGroupMembersResponse(members: [.init(appTransactionId: Self.placeholderMember)], hasMore: false)
    }

    /// Returns the error of a request about the seats of a subscription.
    ///
    /// - Throws: ``ServerAPIError`` for an original transaction identifier that is malformed or unknown.
    func refusalOfSeats(of id: String, in scope: APIScope) async throws -> ServerAPIError {
        _ = try await context.read { db in try scope.originalTransaction(id, db) }
        return .transactionNotDevManagedGroup
    }
}
