import GRDB
import PurchaseModel

extension StoreLedger {
    /// Returns one page of an account's transaction history (Get Transaction History), in the order of the transactions' last changes.
    ///
    /// In ascending order, a transaction that changes between two requests appears again on a later page. The cost of a page depends on its
    /// number of transactions, and not on the number of other transactions, unless filters exclude many of them.
    ///
    /// - Parameters:
    ///   - id: The identifier of any transaction of the account, or its `appTransactionId`.
    ///   - hidesFinished: Whether finished consumables that are not revoked are excluded, as in version 1 of the endpoint.
    func history(of id: String, _ query: ServerAPIQuery, in scope: APIScope, hidesFinished: Bool) async throws -> HistoryResponse {
        let filter = try TransactionHistoryRequest(query)
        let (page, queryKey, start) = try await read { db in
            let account = try accountID(id, in: scope, db)
            let queryKey = "history \(scope.bundleID) \(scope.environment) \(account) \(filter.query(revision: nil).text)"
            let start = try PageToken.position(in: query.values("revision"), for: queryKey, or: .invalidRequestRevision)
            let request = TransactionRecord.history(of: account, in: scope, filter, after: start?.first, hidesFinished: hidesFinished)
            return (Page(try request.fetchAll(db)), queryKey, start)
        }
        let end =
            page.elements.last.map { PageToken.Position(first: $0.change, second: 0) } ?? start ?? PageToken.Position(first: 0, second: 0)
        let now = clock.now
        return HistoryResponse(
            revision: PageToken(end, at: clock.systemTime).text(for: queryKey), hasMore: page.hasMore, bundleId: scope.bundleID,
            appAppleId: scope.appAppleID, environment: scope.environment.rawValue,
            signedTransactions: try page.elements.map { try signer.sign($0, at: now) }
        )
    }
}

extension TransactionRecord {
    /// Returns the query for an account's transactions in an app and an environment, without restored transactions.
    ///
    /// The App Store Server API does not list restored transactions, which only their device receives.
    static func known(of account: AccountID, in scope: APIScope) -> QueryInterfaceRequest<TransactionRecord> {
        filter(
            Column("account") == account.rawValue && Column("bundleID") == scope.bundleID.rawValue
                && Column("environment") == scope.environment.rawValue && Column("kind") != Kind.restore.rawValue
        )
    }

    /// Returns the database query for a page of the transaction history.
    ///
    /// The query returns one more transaction than the page has, so that the caller knows whether there is another page.
    ///
    /// - Parameter change: The change number of the last transaction on the previous page; nil for the first page.
    fileprivate static func history(
        of account: AccountID, in scope: APIScope, _ filter: TransactionHistoryRequest, after change: Int64?, hidesFinished: Bool
    ) -> QueryInterfaceRequest<TransactionRecord> {
        let isAscending = filter.sort != .descending
        var request = known(of: account, in: scope)
            .order(isAscending ? Column("change").asc : Column("change").desc)
            .limit(Page<TransactionRecord>.size + 1)
        if let change { request = request.filter(isAscending ? Column("change") > change : Column("change") < change) }
        if let date = filter.startDate { request = request.filter(Column("purchaseDate") >= date.milliseconds) }
        if let date = filter.endDate { request = request.filter(Column("purchaseDate") < date.milliseconds) }
        if !filter.productIds.isEmpty { request = request.filter(filter.productIds.map(\.rawValue).contains(Column("productID"))) }
        if !filter.productTypes.isEmpty {
            request = request.filter(filter.productTypes.map(\.productType.rawValue).contains(Column("type")))
        }
        if !filter.subscriptionGroupIdentifiers.isEmpty {
            request = request.filter(filter.subscriptionGroupIdentifiers.map(\.rawValue).contains(Column("groupID")))
        }
        switch filter.inAppOwnershipType {
        case .purchased?: request = request.filter(Column("purchaserTransactionID") == nil)
        case .familyShared?: request = request.filter(Column("purchaserTransactionID") != nil)
        case nil: break
        }
        if let revoked = filter.revoked {
            request = request.filter(revoked ? Column("revokedAt") != nil : Column("revokedAt") == nil)
        }
        if filter.excludeRevoked == true { request = request.filter(Column("revokedAt") == nil) }
        if hidesFinished {
            let type = ProductType.consumable.rawValue
            request = request.filter(Column("type") != type || Column("finishedAt") == nil || Column("revokedAt") != nil)
        }
        return request
    }
}
