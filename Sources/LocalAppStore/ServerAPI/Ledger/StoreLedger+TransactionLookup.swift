import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The maximum number of refunded transactions in a response of version 1 of the refund history.
    private static let refundLookupLimit = 50

    /// Returns the current state of a transaction (Get Transaction Info).
    func transactionInfo(_ id: String, in scope: APIScope) async throws -> TransactionInfoResponse {
        let row = try await read { db in try transaction(id, in: scope, db) }
        return TransactionInfoResponse(signedTransactionInfo: try signer.sign(row, at: clock.now))
    }

    /// Returns the app transaction of an account (Get App Transaction Info).
    ///
    /// - Parameter id: The identifier of any transaction of the account, or its `appTransactionId`.
    func appTransactionInfo(_ id: String, in scope: APIScope) async throws -> AppTransactionInfoResponse {
        let download = try await read { db in
            guard let download = try AppDownloadRecord.find(try accountID(id, in: scope, db), scope.bundleID, db) else {
                throw ServerAPIError.appTransactionDoesNotExist
            }
            return download
        }
        let payload = appTransaction(download, scope.app, scope.environment, at: clock.now)
        return AppTransactionInfoResponse(signedAppTransactionInfo: try signer.sign(payload))
    }

    /// Returns the transactions of an order (Look Up Order ID).
    ///
    /// - Throws: ``ServerAPIError/endpointNotFound`` in the sandbox, where customers get no invoices with order IDs.
    func order(_ id: String, in scope: APIScope) async throws -> OrderLookupResponse {
        guard scope.environment == .production else { throw ServerAPIError.endpointNotFound }
        guard (1...64).contains(id.utf8.count) else { throw ServerAPIError.generalBadRequest }
        let rows = try await read { db in
            let sql = """
                SELECT * FROM transactions WHERE orderID = ? AND bundleID = ? AND environment = ? AND kind <> 'restore' ORDER BY rowid
                """
            return try TransactionRecord.fetchAll(
                db.cachedStatement(sql: sql), arguments: [id, scope.bundleID.rawValue, scope.environment.rawValue])
        }
        let now = clock.now
        guard !rows.isEmpty else { return OrderLookupResponse(status: 1) }
        return OrderLookupResponse(status: 0, signedTransactions: try rows.map { try signer.sign($0, at: now) })
    }

    /// Returns one page of an account's refunded transactions (Get Refund History), in the order of their refunds.
    func refunds(of id: String, _ query: ServerAPIQuery, in scope: APIScope) async throws -> RefundHistoryResponse {
        let (page, queryKey, start) = try await read { db in
            let account = try accountID(id, in: scope, db)
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
        let now = clock.now
        return RefundHistoryResponse(
            signedTransactions: try page.elements.map { try signer.sign($0, at: now) },
            revision: PageToken(last ?? start ?? PageToken.Position(first: 0, second: 0), at: clock.systemTime).text(for: queryKey),
            hasMore: page.hasMore
        )
    }

    /// Returns the newest refunded transactions of an account, in the order of their refunds, as version 1 of the refund history does.
    ///
    /// - Parameter id: The identifier of an original transaction of the account.
    func newestRefunds(of id: String, in scope: APIScope) async throws -> RefundLookupResponse {
        let rows = try await read { db in
            let account = try originalTransaction(id, in: scope, db).account
            return try TransactionRecord.refunded(of: account, in: scope)
                .order(Column("revokedAt").desc, Column("change").desc).limit(Self.refundLookupLimit).fetchAll(db)
        }
        let now = clock.now
        return RefundLookupResponse(signedTransactions: try rows.reversed().map { try signer.sign($0, at: now) })
    }
}

extension TransactionRecord {
    /// Returns the query for an account's refunded transactions.
    ///
    /// Revoked Family Sharing transactions are excluded, because they were never charged.
    fileprivate static func refunded(of account: AccountID, in scope: APIScope) -> QueryInterfaceRequest<TransactionRecord> {
        known(of: account, in: scope).filter(
            Column("revokedAt") != nil
                && (Column("revocationType") == nil || Column("revocationType") != RevocationType.familyRevoke.rawValue)
        )
    }
}
