import Foundation
public import PurchaseModel

/// Groups that share a subscription, and the seats of groups whose members the developer's server invites.
///
/// The App Store offers these endpoints in the sandbox; whether it offers them in production, Apple's documentation did not state at the time
/// of writing.
extension AppStoreServerAPIClient {
    /// Requests the seats of a group subscription.
    ///
    /// Errors: `transactionNotDevManagedGroup` for a subscription without seats that the developer's server manages,
    /// `bundleTransactionIdNotSupported`, `invalidOriginalTransactionId`, `originalTransactionIdNotFound`.
    ///
    /// Source: [Get Seat Info](https://developer.apple.com/documentation/appstoreserverapi/get-seat-info).
    ///
    /// - Parameter originalTransactionId: The original transaction identifier of the purchaser's subscription.
    public func getSeatInfo(originalTransactionId: TransactionID) async throws(AppStoreServerAPIError) -> GetSeatInfoResponse {
        try await call(ServerAPIRequest(.seatInfo, ["originalTransactionId": originalTransactionId.rawValue]))
    }

    /// Claims a seat for a member of a group; a repeated request with the same identifier returns the same claim.
    ///
    /// The purchaser needs no claim. Errors: `invalidRequestIdentifier`, `noAvailableSeats`,
    /// `appTransactionIdNotFound`, and those of
    /// ``getSeatInfo(originalTransactionId:)``.
    ///
    /// Source: [Claim Seat](https://developer.apple.com/documentation/appstoreserverapi/claim-seat).
    public func claimSeat(
        originalTransactionId: TransactionID, claimSeatRequest: ClaimSeatRequest
    ) async throws(AppStoreServerAPIError) -> ClaimSeatResponse {
        try await call(
            ServerAPIRequest(.claimSeat, ["originalTransactionId": originalTransactionId.rawValue], body: claimSeatRequest))
    }

    /// Releases a claimed seat.
    ///
    /// Errors: `seatClaimIdNotFound`, also for a claim that was released before, and those of ``getSeatInfo(originalTransactionId:)``.
    ///
    /// Source: [Unclaim Seat](https://developer.apple.com/documentation/appstoreserverapi/unclaim-seat).
    public func unclaimSeat(originalTransactionId: TransactionID, seatClaimId: String) async throws(AppStoreServerAPIError) {
        try await perform(
            ServerAPIRequest(
                .unclaimSeat, ["originalTransactionId": originalTransactionId.rawValue, "seatClaimId": seatClaimId]))
    }

    /// Associates a claimed seat with a member.
    ///
    /// Errors: `seatClaimIdNotFound`, `appTransactionIdNotFound`, and those of ``getSeatInfo(originalTransactionId:)``.
    ///
    /// Source: [Associate Seat](https://developer.apple.com/documentation/appstoreserverapi/associate-seat).
    public func associateSeat(
        originalTransactionId: TransactionID, seatClaimId: String, associateSeatRequest: AssociateSeatRequest
    ) async throws(AppStoreServerAPIError) {
        try await perform(
            ServerAPIRequest(
                .associateSeat, ["originalTransactionId": originalTransactionId.rawValue, "seatClaimId": seatClaimId],
                body: associateSeatRequest))
    }

    /// Requests the groups of a customer; the response is empty for a customer in no group.
    ///
    /// Errors: `invalidTransactionId`, `transactionIdNotFound`.
    ///
    /// Source: [Get Customer Groups](https://developer.apple.com/documentation/appstoreserverapi/get-customer-groups).
    ///
    /// - Parameter transactionId: Any transaction identifier, original transaction identifier or `appTransactionId` of the customer.
    public func getCustomerGroups(transactionId: TransactionID) async throws(AppStoreServerAPIError) -> GetCustomerGroupsResponse {
        try await call(ServerAPIRequest(.customerGroups, ["transactionId": transactionId.rawValue]))
    }

    /// Requests one page of a group's members.
    ///
    /// Errors: `invalidGroupId`, `invalidLimit`, `invalidPaginationToken`, `groupNotFound`.
    ///
    /// Source: [Get Group Members](https://developer.apple.com/documentation/appstoreserverapi/get-group-members).
    ///
    /// - Parameters:
    ///   - groupId: The identifier of the group.
    ///   - paginationToken: The token from the page before; nil for the first page.
    ///   - limit: The largest number of members on the page, from 1 to 100; nil for the App Store's default.
    public func getGroupMembers(
        groupId: String, paginationToken: String? = nil, limit: Int? = nil
    ) async throws(AppStoreServerAPIError) -> GetGroupMembersResponse {
        var query = ServerAPIQuery()
        if let limit { query.add("limit", limit) }
        query.add("paginationToken", paginationToken)
        return try await call(ServerAPIRequest(.groupMembers, ["groupId": groupId], query: query))
    }

    /// Requests the members of a group page by page.
    public func groupMembers(groupId: String) -> ServerAPIPages<GetGroupMembersResponse> {
        ServerAPIPages(after: nil, hasMore: \.hasMore, token: \.paginationToken) { (token) async throws(AppStoreServerAPIError) in
            try await self.getGroupMembers(groupId: groupId, paginationToken: token)
        }
    }
}
