import AppStoreServerAPI
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseStorage

extension TeamKeeper {
    /// The number of seconds between two checks of a team with open claims: a day.
    static let checkSeconds: Int64 = 86_400
    /// The time in seconds after which claimed checks are due again, if the process was stopped meanwhile.
    private static let claimSeconds: Int64 = 300
    /// The maximum number of teams in one claim.
    private static let batchSize = 20

    /// The differences that checks found between the server's claims and the App Store's.
    struct Differences: Hashable, Sendable {
        /// The number of teams whose claims were compared.
        var teams = 0
        /// The number of claims that the App Store had released, and that the check released on the server.
        var released = 0
        /// The number of claims that the App Store lists and the server does not know.
        var unknown = 0
    }

    /// Checks each team whose check is due.
    ///
    /// An error of the App Store postpones the check of one team.
    ///
    /// - Throws: `StorageError` or `CancellationError`.
    func checkDue() async throws -> Differences {
        var differences = Differences()
        var isComplete = false
        while !isComplete {
            isComplete = true
            let now = clock.now
            let partitions = try await storage.read(app) { records in
                try QueuePartition.due { try records.teams(in: $0, dueAt: now, limit: 1).first?.dueAt }
            }
            for partition in partitions {
                // Claim the teams, so that no other process checks them at the same time.
                let claimedUntil = now.adding(seconds: Self.claimSeconds)
                let claimed = try await storage.write(app) { records in
                    try records.claimTeams(in: partition, dueAt: now, until: claimedUntil, limit: Self.batchSize)
                }
                for team in claimed { try await check(team, claimedUntil: claimedUntil, &differences) }
                if !claimed.isEmpty { isComplete = false }
            }
        }
        return differences
    }

    /// Completes the pending claims and releases of a team, compares its claims with the App Store's, and releases a surplus.
    private func check(_ team: TeamRecord, claimedUntil: Timestamp, _ differences: inout Differences) async throws {
        guard let environment = try await endClaims(of: team.purchase) else { return }
        var isComplete = false
        if let client = client(for: environment) {
            isComplete = try await completePending(team.purchase, with: client)
            if let found = try await compare(team.purchase, with: client) {
                differences.teams += 1
                differences.released += found.released
                differences.unknown += found.unknown
                // Release the surplus after the comparison, because the App Store may have released claims for refunded seats.
                if found.surplus > 0 { isComplete = try await completePending(team.purchase, with: client) && isComplete }
            } else {
                isComplete = false
            }
        }
        try await schedule(team.purchase, isComplete: isComplete, claimedUntil: claimedUntil)
    }

    /// Ends the claims of an ended subscription, and the claim of a customer who became the owner.
    ///
    /// - Returns: The environment of the subscription; nil if the team has ended.
    private func endClaims(of team: TransactionID) async throws -> String? {
        try await storage.write(app) { [clock] records in
            let (purchase, now) = (try records.purchase(team), clock.now)
            guard let purchase, try !records.endTeamIfOver(team, purchase, at: now) else {
                if purchase == nil { _ = try records.endTeamIfOver(team, nil, at: now) }
                return nil
            }
            try records.endClaims(of: team, .released, at: now, isConfirmed: false) { $0.customer == purchase.customer }
            return purchase.entitlement.environment
        }
    }

    /// Repeats the requests of unconfirmed claims and releases, and returns whether the App Store confirmed all of them.
    private func completePending(_ team: TransactionID, with client: AppStoreServerAPIClient) async throws -> Bool {
        var isComplete = true
        for claim in try await storage.read(app, { try $0.unreleasedClaims(of: team) }) {
            switch claim.state {
            case .requested:
                if case .unconfirmed = try await confirm(claim, with: client) { isComplete = false }
            case .releasing:
                if try await !release(claim, with: client) { isComplete = false }
            case .claimed, .released: break
            }
        }
        return isComplete
    }

    /// Compares the claims of a team with the App Store's list, and ends the surplus according to the policy.
    ///
    /// A claim that the App Store does not list ends. A claim that the server does not know is counted, and stays.
    ///
    /// - Returns: Nil without a list of the App Store.
    private func compare(
        _ team: TransactionID, with client: AppStoreServerAPIClient
    ) async throws -> (released: Int, unknown: Int, surplus: Int)? {
        // Read the claims before the request, because the list can lack a claim that is made later.
        let known = try await storage.read(app) { try $0.unreleasedClaims(of: team) }
        let info: GetSeatInfoResponse
        do throws(AppStoreServerAPIError) {
            info = try await client.getSeatInfo(originalTransactionId: team)
            connection?.outages.succeeded()
        } catch {
            guard error != .canceled else { throw CancellationError() }
            if error.apiError == .transactionNotDevManagedGroup { return (try await endGroup(team), 0, 0) }
            if error.isRetryable { connection?.outages.failed() }
            logger.notice("seats of a team not listed", metadata: ["app": "\(app)", "team": "\(team)", "error": "\(error)"])
            return nil
        }
        let listed = info.assignedSeatClaimIds.map { Set($0.map { OpaqueText($0) }) }
        let found = try await storage.write(app) { [clock, policy] records in
            let now = clock.now
            var released = 0
            for claim in known {
                guard let listed, let id = claim.seatClaimID, !listed.contains(OpaqueText(id)),
                    var current = try records.seatClaim(claim.requestIdentifier, of: team), current.state == claim.state
                else { continue }
                if current.isOpen { released += 1 }
                current.end(.unclaimed, at: now, isConfirmed: true)
                try records.put(current)
            }
            let claims = try records.unreleasedClaims(of: team)
            let own = Set(claims.compactMap { $0.seatClaimID.map { OpaqueText($0) } })
            let unknown = listed?.subtracting(own).count ?? 0
            let surplus = try records.releaseSurplus(of: team, seats: info.totalSeatCount, claims, policy, unknown: unknown, at: now)
            return (released: released, unknown: unknown, surplus: surplus)
        }
        if found.released > 0 || found.unknown > 0 {
            logger.notice(
                "seats differ from the App Store's",
                metadata: [
                    "app": "\(app)", "team": "\(team)", "released": "\(found.released)", "unknown": "\(found.unknown)",
                ])
        }
        return found
    }

    /// Ends all claims of a subscription that the App Store no longer regards as a group, such as after a change to a product without seats.
    ///
    /// - Returns: The number of ended claims.
    private func endGroup(_ team: TransactionID) async throws -> Int {
        try await storage.write(app) { [clock] records in
            let claims = try records.unreleasedClaims(of: team)
            for var claim in claims {
                claim.end(.ended, at: clock.now, isConfirmed: true)
                try records.put(claim)
            }
            return claims.count
        }
    }

    /// Stores the date of the next check of a team, or removes the record of a team without claims.
    private func schedule(_ team: TransactionID, isComplete: Bool, claimedUntil: Timestamp) async throws {
        try await storage.write(app) { [clock, policy] records in
            guard var record = try records.team(team) else { return }
            guard try !records.unreleasedClaims(of: team).isEmpty else { return try records.removeTeam(team) }
            let now = clock.now
            record.attempts = isComplete ? 0 : min(record.attempts, 1_000) + 1
            // Keep a date that another transaction has set during the check.
            if record.dueAt == claimedUntil {
                record.dueAt = now.adding(
                    seconds: isComplete ? Self.checkSeconds : AppStoreRequest.pause(afterAttempt: record.attempts))
                if isComplete, let since = record.surplusSince {
                    record.dueAt = min(record.dueAt, max(now.adding(seconds: 60), since.adding(seconds: policy.surplusSeconds)))
                }
            }
            try records.put(record)
        }
    }
}

extension StorageTransaction {
    /// Ends the newest claims of a team with more claims than seats, according to the policy, and records the comparison.
    ///
    /// - Parameters:
    ///   - id: The team.
    ///   - total: The number of seats according to the App Store; nil to count the seats of the signed transactions.
    ///   - claims: The unreleased claims, oldest first.
    ///   - policy: The choice of the members who lose their seats.
    ///   - unknown: The number of the App Store's claims that the server does not know.
    ///   - now: The current date.
    /// - Returns: The number of ended claims.
    fileprivate func releaseSurplus(
        of id: TransactionID, seats total: Int?, _ claims: [SeatClaim], _ policy: TeamPolicy, unknown: Int, at now: Timestamp
    ) throws -> Int {
        guard var record = try team(id) else { return 0 }
        (record.checkedAt, record.unknownClaims) = (now, unknown)
        let seats = try total ?? GroupSeats(of: transactions(of: id).map(\.transaction), at: now)?.count ?? 0
        let open = claims.filter(\.isOpen)
        let surplus = open.count - max(0, seats)
        var ended = 0
        if surplus > 0 {
            let since = record.surplusSince ?? now
            record.surplusSince = since
            if now >= since.adding(seconds: policy.surplusSeconds) {
                record.surplusSince = nil
                for var claim in open.reversed().prefix(surplus) {
                    claim.end(.surplus, at: now, isConfirmed: false)
                    try put(claim)
                    ended += 1
                }
            }
        } else {
            record.surplusSince = nil
        }
        try put(record)
        return ended
    }
}
