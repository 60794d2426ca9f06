import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that answers requests to the App Store Server API about purchases.
struct ServerAPIService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let events: EventService

    /// The maximum number of refunded transactions in a response of version 1 of the refund history.
    private static let refundLookupLimit = 50

    /// Returns the current state of a transaction (Get Transaction Info).
    func transactionInfo(_ id: String, in scope: APIScope) async throws -> TransactionInfoResponse {
        let row = try await context.read { db in try scope.transaction(id, db) }
        return TransactionInfoResponse(signedTransactionInfo: try context.signer.sign(row, at: context.clock.now))
    }

    /// Returns the app transaction of an account (Get App Transaction Info).
    ///
    /// - Parameter id: The identifier of any transaction of the account, or its `appTransactionId`.
    func appTransactionInfo(_ id: String, in scope: APIScope) async throws -> AppTransactionInfoResponse {
        let download = try await context.read { db in
            guard let download = try AppDownloadRecord.find(try scope.accountID(id, db), scope.bundleID, db) else {
                throw ServerAPIError.appTransactionDoesNotExist
            }
            return download
        }
        let payload = download.appTransaction(of: scope.app, scope.environment, at: context.clock.now)
        return AppTransactionInfoResponse(signedAppTransactionInfo: try context.signer.sign(payload))
    }

    /// Returns the transactions of an order (Look Up Order ID).
    ///
    /// - Throws: ``ServerAPIError/endpointNotFound`` in the sandbox, where customers get no invoices with order IDs.
    func order(_ id: String, in scope: APIScope) async throws -> OrderLookupResponse {
        guard scope.environment == .production else { throw ServerAPIError.endpointNotFound }
        guard (1...64).contains(id.utf8.count) else { throw ServerAPIError.generalBadRequest }
        let rows = try await context.read { db in
            let sql = """
                SELECT * FROM transactions WHERE orderID = ? AND bundleID = ? AND environment = ? AND kind <> 'restore' ORDER BY rowid
                """
            return try TransactionRecord.fetchAll(
                db.cachedStatement(sql: sql), arguments: [id, scope.bundleID.rawValue, scope.environment.rawValue])
        }
        let now = context.clock.now
        guard !rows.isEmpty else { return OrderLookupResponse(status: 1) }
        return OrderLookupResponse(status: 0, signedTransactions: try rows.map { try context.signer.sign($0, at: now) })
    }

    /// Returns one page of an account's refunded transactions (Get Refund History), in the order of their refunds.
    func refunds(of id: String, _ query: ServerAPIQuery, in scope: APIScope) async throws -> RefundHistoryResponse {
        let (page, queryKey, start) = try await context.read { db in
            let account = try scope.accountID(id, db)
            let queryKey = "refunds \(scope.bundleID) \(scope.environment) \(account)"
            let start = try PageToken.position(in: query.values("revision"), for: queryKey, or: .invalidRequestRevision)
            var request = TransactionRecord.refunded(of: account, in: scope)
                .order(Column("revokedAt"), Column("change")).limit(Page<TransactionRecord>.size + 1)
            if let start {
                let (date, change) = (Column("revokedAt"), Column("change"))
                request = request.filter(date >= start.first && (date > start.first || change > start.second))
            }
            return (Page(try request.fetchAll(db)), queryKey, start)
        }
        let last = page.elements.last.map { PageToken.Position(first: $0.revokedAt?.milliseconds ?? 0, second: $0.change) }
        let now = context.clock.now
        return RefundHistoryResponse(
            signedTransactions: try page.elements.map { try context.signer.sign($0, at: now) },
            revision: PageToken(last ?? start ?? PageToken.Position(first: 0, second: 0), at: context.clock.systemTime).text(for: queryKey),
            hasMore: page.hasMore
        )
    }

    /// Returns the newest refunded transactions of an account, in the order of their refunds, as version 1 of the refund history does.
    ///
    /// - Parameter id: The identifier of an original transaction of the account.
    func newestRefunds(of id: String, in scope: APIScope) async throws -> RefundLookupResponse {
        let rows = try await context.read { db in
            let account = try scope.originalTransaction(id, db).account
            return try TransactionRecord.refunded(of: account, in: scope)
                .order(Column("revokedAt").desc, Column("change").desc).limit(Self.refundLookupLimit).fetchAll(db)
        }
        let now = context.clock.now
        return RefundLookupResponse(signedTransactions: try rows.reversed().map { try context.signer.sign($0, at: now) })
    }

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
        let (page, queryKey, start) = try await context.read { db in
            let account = try scope.accountID(id, db)
            let queryKey = "history \(scope.bundleID) \(scope.environment) \(account) \(filter.query(revision: nil).text)"
            let start = try PageToken.position(in: query.values("revision"), for: queryKey, or: .invalidRequestRevision)
            let request = TransactionRecord.history(of: account, in: scope, filter, after: start?.first, hidesFinished: hidesFinished)
            return (Page(try request.fetchAll(db)), queryKey, start)
        }
        let end =
            page.elements.last.map { PageToken.Position(first: $0.change, second: 0) } ?? start ?? PageToken.Position(first: 0, second: 0)
        let now = context.clock.now
        return HistoryResponse(
            revision: PageToken(end, at: context.clock.systemTime).text(for: queryKey), hasMore: page.hasMore, bundleId: scope.bundleID,
            appAppleId: scope.appAppleID, environment: scope.environment.rawValue,
            signedTransactions: try page.elements.map { try context.signer.sign($0, at: now) }
        )
    }

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
        let rows = try await context.read { [wanted] db in
            try SubscriptionRecord.all(of: try scope.accountID(id, db), in: scope.bundleID, db).compactMap { row in
                guard wanted.isEmpty || wanted.contains(row.subscription.status) else { return nil }
                guard let newest = try TransactionRecord.newestPeriod(of: row.id, db), newest.environment == scope.environment else {
                    return nil
                }
                return (row, newest)
            } as [(SubscriptionRecord, TransactionRecord)]
        }
        let now = context.clock.now
        var groups: [SubscriptionGroupStatus] = []
        for (row, newest) in rows {
            let element = LastTransaction(
                originalTransactionId: row.id, status: row.subscription.status.rawValue,
                signedTransactionInfo: try context.signer.sign(newest, at: now),
                signedRenewalInfo: try context.signer.sign(row.renewalInfo(environment: scope.environment, in: context.apps, at: now))
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

    /// Saves the consumption information that a developer's server sends about a transaction with a pending refund request.
    ///
    /// The information affects the store's decision about the refund request, which follows after ``consumptionWindow``. Information about
    /// a transaction without a pending refund request is accepted and discarded, as by the App Store.
    ///
    /// - Throws: ``ServerAPIError`` for the transaction, or for the first invalid member of the body.
    func acceptConsumption(_ id: String, _ body: Data, in scope: APIScope) async throws {
        try await saveConsumption(of: id, in: scope) { row in
            guard row.purchaserTransactionID == nil else { throw ServerAPIError.familyTransactionNotSupported }
            return try WireJSON.encode(ConsumptionRequest(json: body, about: row.type))
        }
    }

    /// Saves consumption information in the format of version 1, which accepts consumables and auto-renewable subscriptions only.
    func acceptConsumptionV1(_ id: String, _ body: Data, in scope: APIScope) async throws {
        try await saveConsumption(of: id, in: scope) { row in
            guard [.consumable, .autoRenewable].contains(row.type) else { throw ServerAPIError.invalidTransactionTypeNotSupported }
            return try WireJSON.encode(ConsumptionRequestV1(json: body))
        }
    }

    private func saveConsumption(
        of id: String, in scope: APIScope, _ read: @escaping @Sendable (TransactionRecord) throws -> Data
    ) async throws {
        try await context.transaction { db, now in
            let row = try scope.transaction(id, db)
            let consumption = String(decoding: try read(row), as: UTF8.self)
            guard var request = try RefundRequestRecord.pending(row.restores ?? row.id, db) else { return }
            request.consumption = consumption
            try request.update(db)
            try events.insertEvent(.server, about: row, at: now, detail: "consumption information", db)
        }
    }

    /// Sets the app account token of a purchase; for a subscription, the token of its current and all later periods.
    ///
    /// - Parameter id: The original transaction identifier of the purchase.
    /// - Throws: ``ServerAPIError`` if the identifier or the body is invalid, or the transaction gives access through Family Sharing.
    func setAppAccountToken(of id: String, _ body: Data, in scope: APIScope) async throws {
        try await context.transaction { db, now in
            let original = try scope.transaction(id, unknown: .originalTransactionIdNotFound, db)
            let token = try AppAccountTokenRequest(json: body).appAccountToken
            guard original.purchaserTransactionID == nil else { throw ServerAPIError.familyTransactionNotSupported }
            guard original.id == original.originalID else { throw ServerAPIError.transactionIdIsNotOriginalTransactionId }
            var row = original
            if var subscription = try SubscriptionRecord.fetchOne(db, key: original.id.rawValue) {
                subscription.change { $0.appAccountToken = token }
                try subscription.update(db)
                row = try TransactionRecord.newestPeriod(of: original.id, db) ?? original
            }
            row.appAccountToken = token
            try transactions.change(&row, db)
            try events.insertEvent(.server, about: row, at: now, detail: "app account token", db)
        }
    }

    /// Finishes a transaction as a developer's server requests; a repeated call changes nothing.
    func finish(_ id: String, in scope: APIScope) async throws {
        try await context.transaction { db, now in
            try transactions.finish(try scope.transaction(id, db), at: now, detail: "by the server", db)
        }
    }
}

extension TransactionRecord {
    /// Returns the query for an account's refunded transactions.
    ///
    /// Revoked Family Sharing transactions are excluded, because they were never charged, and so are periods that a bundle replaced.
    fileprivate static func refunded(of account: AccountID, in scope: APIScope) -> QueryInterfaceRequest<TransactionRecord> {
        known(of: account, in: scope).filter(
            Column("revokedAt") != nil
                && (Column("revocationType") == nil || Column("revocationType") != RevocationType.familyRevoke.rawValue)
                && (Column("revocationReason") == nil || Column("revocationReason") != PurchaseRevocationReason.upgradedToBundle.rawValue)
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
        case .familyShared?: request = request.filter(Column("purchaserTransactionID") != nil && Column("kind") != "assigned")
        case .assigned?: request = request.filter(Column("kind") == "assigned")
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
