import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that refunds transactions, and decides about refund requests.
struct RefundService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService
    let notices: NoticeService
    let seats: SeatService

    /// Refunds a transaction; a repeated call changes nothing.
    ///
    /// A refund also revokes the transactions that restore the refunded transaction, that the account got by purchasing the already owned
    /// product again, or that give family members access. A subscription ends if its newest period is refunded.
    ///
    /// - Parameter includesFree: Whether a transaction without a price is revoked; with false, the method throws ``RefundError/notCharged``.
    /// - Returns: Whether the call refunded the transaction; false if it was refunded before.
    func refund(_ request: IssueRefund, includesFree: Bool = false) async throws -> Bool {
        guard [nil, 0, 1].contains(request.reason) else { throw StoreError.invalidValue(field: "reason") }
        guard (1...100_000).contains(request.percentage ?? 100_000) else { throw StoreError.invalidValue(field: "percentage") }
        return try await context.transaction { db, now in try refund(request, includesFree: includesFree, at: now, db) }
    }

    /// Refunds a transaction, as part of a running database transaction.
    ///
    /// - Parameters:
    ///   - request: The refund.
    ///   - includesFree: Whether a transaction without a price is revoked; with false, the method throws ``RefundError/notCharged``.
    ///   - isAlone: Whether repeated purchases of a product that is owned once stay as they are.
    ///   - now: The date of the refund.
    ///   - db: The database.
    @discardableResult
    func refund(
        _ request: IssueRefund, includesFree: Bool = false, isAlone: Bool = false, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        guard let row = try TransactionRecord.find(request.transactionID, db) else { throw StoreError.transactionUnknown }
        guard row.kind != .restore, row.price != 0 || includesFree else { throw RefundError.notCharged }
        guard row.revokedAt == nil else { return false }
        if row.multiSeatInfo != nil, row.purchaserTransactionID == nil, row.kind != .restore {
            guard row.remainingSeats > 0 else { return false }
            try refundSeats(request, of: row, at: now, db)
            return true
        }
        guard request.seats == nil else { throw SeatError.noSeats }
        if let period = row.period, let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue) {
            // The state machine of subscriptions has no revocation reasons, so the reason is written first; the notification states it. The
            // state machine does not cover restored transactions, so they are revoked afterwards.
            try db.execute(
                sql: "UPDATE transactions SET revocationReason = ? WHERE id = ?", arguments: [request.reason ?? 0, row.id.rawValue])
            try subscriptions.apply(.refunded(period: period, percentage: request.percentage), to: subscription, at: now, db)
            try revokeRestored(from: row.id, request.reason, at: now, db)
            return true
        }
        let revocation = Self.revocation(request.percentage)
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND revokedAt IS NULL ORDER BY rowid"
        let isOwnedOnce = !isAlone && row.period == nil && !row.type.allowsQuantity
        let affected = isOwnedOnce ? try TransactionRecord.fetchAll(db, sql: sql, arguments: [row.originalID.rawValue]) : [row]
        for var revoked in affected {
            revoked.revoke(revocation, reason: request.reason ?? 0, at: now)
            try transactions.change(&revoked, db)
        }
        try revokeRestored(from: row.id, request.reason, at: now, db)
        let amount = revocation.amount(of: Money(milliunits: row.price, currency: row.currency))
        try ChargeRecord.refund(row, amount.milliunits, at: now, db)
        guard let revoked = try TransactionRecord.find(row.id, db) else { throw StoreError.transactionUnknown }
        try notices.post(StoreNotice(.refund, .refunded, about: revoked), at: now, db)
        try familySharing.revokeShared(from: revoked, at: now, db)
        return true
    }

    /// Reverses a refund: charges the account again, and gives access to the transaction again.
    ///
    /// - Throws: ``RefundError/notRefunded`` if the transaction is not refunded.
    func reverseRefund(of id: TransactionID) async throws {
        try await context.transaction { db, now in try reverseRefund(of: id, at: now, db) }
    }

    /// Reverses a refund, as part of a running database transaction.
    ///
    /// - Parameters:
    ///   - id: The refunded transaction.
    ///   - isAlone: Whether repeated purchases of a product that is owned once stay as they are.
    ///   - now: The date of the reversal.
    ///   - db: The database.
    /// - Throws: ``RefundError/notRefunded`` if the transaction is not refunded.
    func reverseRefund(of id: TransactionID, isAlone: Bool = false, at now: Timestamp, _ db: Database) throws {
        guard let row = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
        guard row.kind != .restore, row.revokedAt != nil || row.multiSeatInfo?.revokedSeatQuantity != nil,
            row.purchaserTransactionID == nil, row.revocationReason != PurchaseRevocationReason.upgradedToBundle.rawValue
        else { throw RefundError.notRefunded }
        if row.multiSeatInfo != nil { return try reverseRefundOfSeats(of: row, at: now, db) }
        if let period = row.period, let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue) {
            try subscriptions.apply(.refundReversed(period: period), to: subscription, at: now, db)
            return try reinstateRestored(from: id, db)
        }
        let sql = "SELECT * FROM transactions WHERE originalID = ? AND revokedAt IS NOT NULL ORDER BY rowid"
        let isOwnedOnce = !isAlone && row.period == nil && !row.type.allowsQuantity
        for var reinstated in isOwnedOnce ? try TransactionRecord.fetchAll(db, sql: sql, arguments: [row.originalID.rawValue]) : [row] {
            reinstated.reinstate()
            try transactions.change(&reinstated, db)
        }
        try reinstateRestored(from: id, db)
        guard let reinstated = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
        try ChargeRecord.reversal(reinstated, at: now, db)
        try notices.post(StoreNotice(.refundReversal, .refundReversed, about: reinstated), at: now, db)
        if context.apps[reinstated.bundleID]?.catalog.product(reinstated.productID)?.isFamilyShareable == true {
            try familySharing.share(reinstated, at: now, db)
        }
    }

    /// Revokes the restored transactions whose original transaction was revoked.
    private func revokeRestored(from id: TransactionID, _ reason: Int?, at now: Timestamp, _ db: Database) throws {
        let source = try TransactionRecord.find(id, db)
        let sql = "SELECT * FROM transactions WHERE restores = ? AND revokedAt IS NULL"
        for var row in try TransactionRecord.fetchAll(db, sql: sql, arguments: [id.rawValue]) {
            row.revoke(.full, reason: reason ?? 0, at: now)
            if let source, source.revokedAt != nil {
                row.revocationType = source.revocationType
                row.revocationPercentage = source.revocationPercentage
            }
            try transactions.change(&row, db)
        }
    }

    /// Reinstates the restored transactions of a transaction whose refund was reversed, unless that transaction is still revoked.
    private func reinstateRestored(from id: TransactionID, _ db: Database) throws {
        guard let source = try TransactionRecord.find(id, db), source.revokedAt == nil else { return }
        let sql = "SELECT * FROM transactions WHERE restores = ? AND revokedAt IS NOT NULL"
        for var copy in try TransactionRecord.fetchAll(db, sql: sql, arguments: [id.rawValue]) {
            copy.reinstate()
            try transactions.change(&copy, db)
        }
    }

    static func revocation(_ percentage: Int?) -> SubscriptionRevocation {
        percentage.map { .prorated($0) } ?? .full
    }

    /// The time within which the developer's server can send consumption information about a refund request, in seconds: 12 hours.
    static let consumptionWindow: Int64 = 12 * 3_600

    /// Saves a refund request, and sends a `CONSUMPTION_REQUEST` notification to the developer's server.
    ///
    /// Unless a person or a test decides earlier, the store decides after ``consumptionWindow``: by the refund preference in the
    /// consumption information, or with an approval if the developer's server sent none.
    ///
    /// - Throws: ``RefundError/notCharged`` if the transaction has no charge to refund.
    func requestRefund(_ refundRequest: RefundRequest) async throws -> RefundRequestDescription {
        try await context.transaction { db, now in try requestRefund(refundRequest, at: now, db).description }
    }

    /// Saves a refund request for a transaction of a device's account and app.
    ///
    /// - Throws: ``RefundError/alreadyRequested`` if a refund request for the transaction is pending, or the transaction is refunded.
    func requestRefund(_ refundRequest: RefundRequest, by session: SessionRecord) async throws {
        try await context.transaction { db, now in
            let row = try transactions.transaction(refundRequest.transactionID, of: session, db)
            let originalRequest = RefundRequest(transactionID: row.restores ?? row.id, reason: refundRequest.reason)
            let charged = try TransactionRecord.find(originalRequest.transactionID, db)
            let isRefunded = charged?.revokedAt != nil && charged?.purchaserTransactionID == nil
            guard !isRefunded, try RefundRequestRecord.pending(originalRequest.transactionID, db) == nil else {
                throw RefundError.alreadyRequested
            }
            let request = try requestRefund(originalRequest, at: now, db)
            if try StoreSettings.approvesRefunds.value(db) != nil { try decide(request, .approved, percentage: nil, at: now, db) }
        }
    }

    /// Saves a refund request, as part of a running database transaction; a repeated call returns the pending request.
    func requestRefund(_ refundRequest: RefundRequest, at now: Timestamp, _ db: Database) throws -> RefundRequestRecord {
        guard let row = try TransactionRecord.find(refundRequest.transactionID, db) else { throw StoreError.transactionUnknown }
        guard row.kind != .restore, row.price != 0, row.revokedAt == nil else { throw RefundError.notCharged }
        if let known = try RefundRequestRecord.pending(row.id, db) { return known }
        let reason = refundRequest.reason ?? .other
        var request = RefundRequestRecord(
            transactionID: row.id, reason: reason.rawValue, date: now, due: now.adding(seconds: Self.consumptionWindow), state: .pending
        )
        try request.insert(db)
        request.id = db.lastInsertedRowID
        let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
        var notice = StoreNotice(.refundRequest, detail: reason.rawValue, .consumptionRequested, about: row, subscription)
        notice.consumptionReason = reason
        try notices.post(notice, at: now, db)
        return request
    }

    /// Returns the newest 1,000 refund requests, oldest first.
    func refundRequests() async throws -> RefundRequestsReply {
        let rows = try await context.read { db in
            try RefundRequestRecord.fetchAll(db, sql: "SELECT * FROM refundRequests ORDER BY id DESC LIMIT 1000")
        }
        return RefundRequestsReply(requests: rows.reversed().map(\.description))
    }

    /// Approves or declines a refund request; repeating the same decision changes nothing.
    ///
    /// - Throws: ``RefundError/requestDecided`` if the request has the opposite decision.
    func decideRefund(_ id: Int64, approve: Bool) async throws {
        try await context.transaction { db, now in
            guard let request = try RefundRequestRecord.fetchOne(db, key: id) else { throw RefundError.requestUnknown }
            let decision = approve ? RefundRequestRecord.State.approved : .declined
            guard request.state == .pending else {
                guard request.state == decision else { throw RefundError.requestDecided }
                return
            }
            try decide(request, decision, percentage: nil, at: now, db)
        }
    }

    private struct ConsumptionPreference: Decodable {
        var refundPreference: String?
        var consumptionPercentage: Int?

        private enum CodingKeys: CodingKey {
            case refundPreference
            case consumptionPercentage
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            consumptionPercentage = try? container.decodeIfPresent(Int.self, forKey: .consumptionPercentage)
            // In version 1 of the consumption information, the refund preference is a number, and 2 means that the developer prefers a
            // decline.
            let number = try? container.decodeIfPresent(Int.self, forKey: .refundPreference)
            let text = try? container.decodeIfPresent(String.self, forKey: .refundPreference)
            refundPreference = text ?? (number == 2 ? "DECLINE" : nil)
        }
    }

    func decide(
        _ request: RefundRequestRecord, _ decision: RefundRequestRecord.State, percentage: Int?, at now: Timestamp, _ db: Database
    ) throws {
        var request = request
        request.state = decision
        request.due = nil
        try request.update(db)
        guard let row = try TransactionRecord.find(request.transactionID, db) else { throw StoreError.transactionUnknown }
        if decision == .approved {
            try refund(IssueRefund(transactionID: row.id, percentage: percentage), at: now, db)
            return
        }
        let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
        try notices.post(StoreNotice(.refundDeclined, about: row, subscription), at: now, db)
    }
}

extension RefundService: DueWork {
    func nextDueDate(after date: Timestamp?, _ db: Database) throws -> Timestamp? {
        let sql = "SELECT min(due) FROM refundRequests WHERE state = 'pending' AND due > ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [date?.milliseconds ?? .min])
            .map { Timestamp(milliseconds: $0) }
    }

    /// Decides about the first refund request whose ``consumptionWindow`` ends at a date or earlier.
    func processDue(at date: Timestamp, _ db: Database) throws {
        let sql = "SELECT * FROM refundRequests WHERE state = 'pending' AND due <= ? ORDER BY due LIMIT 1"
        guard let request = try RefundRequestRecord.fetchOne(db, sql: sql, arguments: [date.milliseconds]) else { return }
        let preference = request.consumption.flatMap { try? WireJSON.decode(ConsumptionPreference.self, from: Data($0.utf8)) }
        switch preference?.refundPreference {
        case "DECLINE": try decide(request, .declined, percentage: nil, at: date, db)
        case "GRANT_PRORATED":
            let refundedPercentage = 100_000 - min(max(preference?.consumptionPercentage ?? 0, 0), 99_999)
            try decide(request, .approved, percentage: refundedPercentage, at: date, db)
        default: try decide(request, .approved, percentage: nil, at: date, db)
        }
    }
}
