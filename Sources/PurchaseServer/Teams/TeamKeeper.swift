import AppStoreServerAPI
import Logging
import PurchaseModel
import PurchaseStorage

/// Claims and releases seats at the App Store, and checks the claims of teams.
///
/// Each change is stored before the request to the App Store, and each request is idempotent, so that an interrupted change is completed
/// by the next check.
struct TeamKeeper: Sendable {
    /// The result of a request to claim a seat.
    enum Confirmation: Sendable {
        /// The App Store confirmed the claim.
        case claimed(SeatClaim)
        /// The App Store confirmed the claim, which ended on the server meanwhile.
        case ended(SeatClaim)
        /// The App Store refused the claim, which is deleted, so that the invitation is open again.
        case refused(TeamRefusal)
        /// The App Store did not answer, or its answer does not state whether the claim was made.
        case unconfirmed
    }

    let app: BundleID
    let storage: any PurchaseStorage
    /// The connection to the App Store; nil without a key of the App Store Server API.
    let connection: AppStoreConnection?
    let policy: TeamPolicy
    let clock: any WallClock
    let logger: Logger

    /// Returns the client for an environment; nil if the server has no key for it.
    func client(for environment: String) -> AppStoreServerAPIClient? {
        guard let connection else { return nil }
        if connection.environment.canBe(environment) { return connection.client }
        return environment == AppEnvironment.sandbox.rawValue ? connection.sandbox : nil
    }

    // MARK: Claims

    /// Requests the seat of a stored claim, and records the answer.
    ///
    /// A repeated request with the same identifier returns the claim that the App Store made before.
    func confirm(_ claim: SeatClaim, with client: AppStoreServerAPIClient) async throws -> Confirmation {
        let request = ClaimSeatRequest(requestIdentifier: claim.requestIdentifier, appTransactionId: claim.appTransactionID)
        let response: ClaimSeatResponse
        do throws(AppStoreServerAPIError) {
            response = try await client.claimSeat(originalTransactionId: claim.team, claimSeatRequest: request)
        } catch {
            try note(error, "claim of a seat not confirmed", claim)
            guard let refusal = error.claimRefusal else { return .unconfirmed }
            try await drop(claim)
            return .refused(refusal)
        }
        connection?.outages.succeeded()
        return try await storage.write(app) { [clock] records in
            var current: SeatClaim
            if let stored = try records.seatClaim(claim.requestIdentifier, of: claim.team) {
                current = stored
            } else {
                // A simultaneous request deleted the claim after a refusal, and opened its invitation again.
                current = claim
                current.end(.released, at: clock.now, isConfirmed: false)
            }
            current.confirm(response.seatClaimId, at: clock.now)
            try records.put(current)
            if current.state != .claimed { try records.scheduleCheck(of: claim.team, at: clock.now) }
            return current.state == .claimed ? .claimed(current) : .ended(current)
        }
    }

    /// Deletes a claim that the App Store refused, and opens its invitation again.
    private func drop(_ claim: SeatClaim) async throws {
        try await storage.write(app) { [clock] records in
            guard var current = try records.seatClaim(claim.requestIdentifier, of: claim.team) else { return }
            guard current.state == .requested else {
                // A claim with an identifier was confirmed by another request.
                guard current.seatClaimID == nil else { return }
                current.end(.released, at: clock.now, isConfirmed: true)
                return try records.put(current)
            }
            try records.delete(current)
            for var invitation in try records.invitations(to: claim.team) where invitation.claim == claim.requestIdentifier {
                invitation.claim = nil
                try records.put(invitation)
            }
        }
    }

    /// Releases the seat of an ended claim at the App Store, and returns whether the App Store confirmed the release.
    func release(_ claim: SeatClaim, with client: AppStoreServerAPIClient) async throws -> Bool {
        var claim = claim
        if claim.seatClaimID == nil {
            // Request the identifier first, because the response to the claim was lost.
            switch try await confirm(claim, with: client) {
            case .claimed(let confirmed), .ended(let confirmed): claim = confirmed
            case .refused: return true
            case .unconfirmed: return false
            }
        }
        guard claim.state == .releasing, let id = claim.seatClaimID else { return claim.state == .released }
        do throws(AppStoreServerAPIError) {
            try await client.unclaimSeat(originalTransactionId: claim.team, seatClaimId: id)
            connection?.outages.succeeded()
        } catch {
            try note(error, "release of a seat not confirmed", claim)
            // The App Store has no such claim, or the group ended with its subscription.
            guard error.apiError == .seatClaimIdNotFound || error.apiError == .transactionNotDevManagedGroup else { return false }
        }
        return try await storage.write(app) { [clock, claim] records in
            guard var current = try records.seatClaim(claim.requestIdentifier, of: claim.team), !current.isOpen else { return true }
            current.end(.released, at: clock.now, isConfirmed: true)
            try records.put(current)
            return true
        }
    }

    /// Logs an error of the App Store.
    ///
    /// - Throws: `CancellationError` for a canceled request.
    func note(_ error: AppStoreServerAPIError, _ message: Logger.Message, _ claim: SeatClaim) throws {
        guard error != .canceled else { throw CancellationError() }
        if error.isRetryable { connection?.outages.failed() }
        logger.notice(
            message,
            metadata: ["app": "\(app)", "team": "\(claim.team)", "request": "\(claim.requestIdentifier)", "error": "\(error)"])
    }
}

extension AppStoreServerAPIError {
    /// The refusal of a claim; nil if the App Store may have made the claim, or can make the claim later.
    fileprivate var claimRefusal: TeamRefusal? {
        switch apiError {
        case .noAvailableSeats?: return .noAvailableSeats
        case .appTransactionIdNotFound?: return .appTransaction
        default: break
        }
        switch self {
        case .api(let response) where !isRetryable: return .refused(response.error?.message ?? "status \(response.status).")
        case .invalidRequest(let reason): return .refused(reason)
        case .api, .unauthorized, .rateLimited, .unavailable, .malformedResponse, .canceled: return nil
        }
    }
}
