import GRDB
import PurchaseModel

extension StoreLedger {
    /// Returns the statuses of an account's subscriptions (Get All Subscription Statuses), by subscription group.
    ///
    /// - Parameter id: The identifier of any transaction of the account, or its `appTransactionId`.
    /// - Throws: ``ServerAPIError/invalidStatus`` if the query contains a `status` that does not exist.
    func statuses(of id: String, _ query: ServerAPIQuery, in scope: APIScope) async throws -> StatusResponse {
        var wanted: Set<SubscriptionStatus> = []
        for text in query.values("status") {
            guard let status = Int(text).flatMap({ SubscriptionStatus(rawValue: $0) }) else { throw ServerAPIError.invalidStatus }
            wanted.insert(status)
        }
        let rows = try await read { [wanted] db in
            try SubscriptionRecord.all(of: try accountID(id, in: scope, db), in: scope.bundleID, db).compactMap { row in
                guard wanted.isEmpty || wanted.contains(row.subscription.subscriptionStatus) else { return nil }
                guard let newest = try TransactionRecord.newestPeriod(of: row.id, db), newest.environment == scope.environment else {
                    return nil
                }
                return (row, newest)
            } as [(SubscriptionRecord, TransactionRecord)]
        }
        let now = clock.now
        var groups: [SubscriptionGroupStatus] = []
        for (row, newest) in rows {
            let element = LastTransaction(
                originalTransactionId: row.id, status: row.subscription.status, signedTransactionInfo: try signer.sign(newest, at: now),
                signedRenewalInfo: try signer.sign(renewalInfo(row, environment: scope.environment, at: now))
            )
            if let index = groups.firstIndex(where: { $0.subscriptionGroupIdentifier == row.groupID }) {
                groups[index].lastTransactions.append(element)
            } else {
                groups.append(SubscriptionGroupStatus(subscriptionGroupIdentifier: row.groupID, lastTransactions: [element]))
            }
        }
        return StatusResponse(
            environment: scope.environment.rawValue, bundleId: scope.bundleID, appAppleId: scope.appAppleID, data: groups
        )
    }
}
