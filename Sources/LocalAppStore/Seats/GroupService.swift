import GRDB
import PurchaseModel

/// The service that answers requests about groups that share a subscription.
///
/// A group consists of the customers to whom the App Store assigned seats, without the purchaser; Apple's documentation that this project has
/// seen does not state whether the purchaser is a member. In the sandbox, a customer in no group is in a placeholder group, as in Apple's sandbox.
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
        let groups = try await context.read { db in
            let account = try scope.accountID(id, db)
            return try SubscriptionRecord.all(of: account, in: scope.bundleID, db).compactMap { try group(of: $0, db)?.id }
        }
        if !groups.isEmpty {
            return GetCustomerGroupsResponse(groups: groups.map { GroupEntry(groupId: $0, groupType: .consumer) })
        }
        guard scope.environment == .sandbox else { return GetCustomerGroupsResponse(groups: []) }
        let roles = [
            GroupRole(productId: "com.example.product1", role: "ADMIN"), GroupRole(productId: "com.example.product2", role: "NONE"),
        ]
        return GetCustomerGroupsResponse(
            groups: [GroupEntry(groupId: Self.placeholderGroup, groupType: .organization, roles: roles)])
    }

    /// Returns the group to which a subscription gives access; nil for a subscription without a group, or one that has ended.
    private func group(of row: SubscriptionRecord, _ db: Database) throws -> SeatGroup? {
        guard !row.subscription.hasEnded else { return nil }
        let purchase = try row.purchaserTransactionID.map { try SubscriptionRecord.fetchOne(db, key: $0.rawValue) } ?? row
        guard let purchase, row.purchaserTransactionID == nil || row.subscription.ownership == .assigned else { return nil }
        return try group(purchase, db)
    }

    private func group(_ purchase: SubscriptionRecord, _ db: Database) throws -> SeatGroup? {
        guard !purchase.subscription.hasEnded, let group = try SeatGroup(of: purchase, in: context.apps[purchase.bundleID]?.catalog, db),
            group.management == .apple, purchase.subscription.seats?.count ?? 0 > 1 || !group.members.isEmpty
        else { return nil }
        return group
    }

    /// Returns a page of a group's members (Get Group Members).
    ///
    /// - Throws: ``ServerAPIError/invalidGroupId``, ``ServerAPIError/invalidLimit``, ``ServerAPIError/invalidPaginationToken`` or
    ///   ``ServerAPIError/groupNotFound``.
    func members(of id: String, _ query: ServerAPIQuery, in scope: APIScope) async throws -> GetGroupMembersResponse {
        guard (1...24).contains(id.utf8.count), id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw ServerAPIError.invalidGroupId
        }
        var limit = Self.pageLimit
        for text in query.values("limit") {
            guard let number = Int(text), (1...Self.pageLimit).contains(number) else { throw ServerAPIError.invalidLimit }
            limit = number
        }
        let token = query.values("paginationToken").first
        if scope.environment == .sandbox, id == Self.placeholderGroup {
            // The placeholder has one page, so that no token is valid.
            guard token == nil else { throw ServerAPIError.invalidPaginationToken }
            return GetGroupMembersResponse(members: [.init(appTransactionId: Self.placeholderMember)], hasMore: false)
        }
        return try await context.read { [limit] db in
            guard let original = SeatGroup.originalID(ofGroup: id), let first = try TransactionRecord.find(original, db),
                first.bundleID == scope.bundleID, first.environment == scope.environment,
                let row = try SubscriptionRecord.fetchOne(db, key: original.rawValue), let group = try group(row, db)
            else { throw ServerAPIError.groupNotFound }
            // The token is the identifier of the last member's subscription.
            var rest = group.members[...]
            if let token {
                guard let last = rest.firstIndex(where: { $0.id.rawValue == token }) else { throw ServerAPIError.invalidPaginationToken }
                rest = rest[(last + 1)...]
            }
            let page = rest.prefix(limit)
            let hasMore = page.count < rest.count
            return GetGroupMembersResponse(
                members: page.compactMap { $0.subscription.appTransactionID.map { .init(appTransactionId: $0) } }, hasMore: hasMore,
                paginationToken: hasMore ? page.last?.id.rawValue : nil)
        }
    }
}
