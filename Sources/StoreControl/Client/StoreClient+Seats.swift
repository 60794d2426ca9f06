public import PurchaseModel
public import StoreProtocol
import Wire

/// Seats of subscriptions, which each transaction identifier of the purchaser's subscription names.
///
/// Each method returns the seats, and throws `refused` with the code `seats.none` for a subscription that is not sold in seats.
extension StoreClient {
    /// Reads the seats of a subscription.
    ///
    /// - Parameter transaction: The transaction identifier.
    /// - Returns: The seats with their members and claims.
    public func seats(of transaction: TransactionID) async throws(StoreControlError) -> SeatsDescription {
        try await call(ControlEndpoints.seats, ["transaction": transaction.rawValue])
    }

    /// Adds an account to a group whose members the App Store invites; the account gets a transaction.
    ///
    /// - Parameters:
    ///   - account: The account, which is created if it does not exist.
    ///   - transaction: The transaction identifier of the purchaser.
    /// - Returns: The seats.
    /// - Throws: `refused` with the code `seats.occupied` if no seat is available.
    @discardableResult
    public func addMember(_ account: AccountID, to transaction: TransactionID) async throws(StoreControlError) -> SeatsDescription {
        try await call(
            ControlEndpoints.addSeatMember, SeatMemberRequest(account: account), ["transaction": transaction.rawValue])
    }

    /// Removes an account from a group whose members the App Store invites, and revokes its transaction.
    ///
    /// - Parameters:
    ///   - account: The member.
    ///   - transaction: The transaction identifier of the purchaser.
    /// - Returns: The seats.
    /// - Throws: `refused` with the code `seats.not-member` for another account.
    @discardableResult
    public func removeMember(_ account: AccountID, from transaction: TransactionID) async throws(StoreControlError) -> SeatsDescription {
        try await call(
            ControlEndpoints.removeSeatMember, ["transaction": transaction.rawValue, "account": account.rawValue])
    }

    /// Releases claims of the developer's server as the App Store does, with an `UNCLAIM_SEATS` notification.
    ///
    /// - Parameters:
    ///   - claims: The identifiers of the claims.
    ///   - transaction: The transaction identifier of the purchaser.
    /// - Returns: The seats.
    /// - Throws: `refused` with the code `seats.claim-unknown` if a claim is not active.
    @discardableResult
    public func releaseSeatClaims(
        _ claims: [String], of transaction: TransactionID
    ) async throws(StoreControlError) -> SeatsDescription {
        try await call(
            ControlEndpoints.releaseSeatClaims, ReleaseSeatClaimsRequest(seatClaimIDs: claims), ["transaction": transaction.rawValue])
    }
}
