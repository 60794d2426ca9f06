import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The time within which the developer's server can send consumption information about a refund request, in seconds: 12 hours.
    static let consumptionWindow: Int64 = 12 * 3_600

    /// Saves a refund request, and sends a `CONSUMPTION_REQUEST` notification to the developer's server.
    ///
    /// Unless a person or a test decides earlier, the store decides after ``consumptionWindow``: by the refund preference in the
    /// consumption information, or with an approval if the developer's server sent none.
    ///
    /// - Throws: ``StoreError/notCharged`` if the transaction has no charge to refund.
    func requestRefund(_ refundRequest: RefundRequest) async throws -> RefundRequestDescription {
        try await write { db, now in try requestRefund(refundRequest, at: now, db).description }
    }

    /// Saves a refund request for a transaction of a device's account and app.
    ///
    /// - Throws: ``StoreError/duplicateRefundRequest`` if a refund request for the transaction is pending, or the transaction is refunded.
    func requestRefund(_ refundRequest: RefundRequest, by session: SessionRecord) async throws {
        try await write { db, now in
            let row = try transaction(refundRequest.transactionID, of: session, db)
            let originalRequest = RefundRequest(transactionID: row.restores ?? row.id, reason: refundRequest.reason)
            let charged = try TransactionRecord.find(originalRequest.transactionID, db)
            let isRefunded = charged?.revokedAt != nil && charged?.purchaserTransactionID == nil
            guard !isRefunded, try RefundRequestRecord.pending(originalRequest.transactionID, db) == nil else {
                throw StoreError.duplicateRefundRequest
            }
            let request = try requestRefund(originalRequest, at: now, db)
            if try StoreSettings.approvesRefunds.value(db) != nil { try decide(request, .approved, percentage: nil, at: now, db) }
        }
    }

    /// Saves a refund request, as part of a running database transaction; a repeated call returns the pending request.
    func requestRefund(_ refundRequest: RefundRequest, at now: Timestamp, _ db: Database) throws -> RefundRequestRecord {
        guard let row = try TransactionRecord.find(refundRequest.transactionID, db) else { throw StoreError.transactionUnknown }
        guard row.kind != .restore, row.price != 0, row.revokedAt == nil else { throw StoreError.notCharged }
        if let known = try RefundRequestRecord.pending(row.id, db) { return known }
        let reason = refundRequest.reason ?? .other
        var request = RefundRequestRecord(
            transactionID: row.id, reason: reason.rawValue, date: now, due: now.adding(seconds: Self.consumptionWindow), state: .pending
        )
        try request.insert(db)
        request.id = db.lastInsertedRowID
        try insertEvent(.refundRequest, about: row, at: now, detail: reason.rawValue, db)
        let subscription = try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue)
        try notify(StoreNotice(.consumptionRequest), about: row, subscription, consumptionReason: reason, at: now, db)
        return request
    }

    /// Returns the newest 1,000 refund requests, oldest first.
    func refundRequests() async throws -> RefundRequestsReply {
        let rows = try await read { db in
            try RefundRequestRecord.fetchAll(db, sql: "SELECT * FROM refundRequests ORDER BY id DESC LIMIT 1000")
        }
        return RefundRequestsReply(requests: rows.reversed().map(\.description))
    }

    /// Approves or declines a refund request; repeating the same decision changes nothing.
    ///
    /// - Throws: ``StoreError/approvalDecided`` if the request has the opposite decision.
    func decideRefund(_ id: Int64, approve: Bool) async throws {
        try await write { db, now in
            guard let request = try RefundRequestRecord.fetchOne(db, key: id) else { throw StoreError.refundRequestUnknown }
            let decision = approve ? RefundRequestRecord.State.approved : .declined
            guard request.state == .pending else {
                guard request.state == decision else { throw StoreError.approvalDecided }
                return
            }
            try decide(request, decision, percentage: nil, at: now, db)
        }
    }

    /// Decides about the first refund request whose ``consumptionWindow`` ends at `limit` or earlier, and returns the date of the end.
    ///
    /// The result is nil if there is no such refund request.
    func decideDueRefund(until limit: Timestamp, _ db: Database) throws -> Timestamp? {
        let sql = "SELECT * FROM refundRequests WHERE state = 'pending' AND due <= ? ORDER BY due LIMIT 1"
        guard let request = try RefundRequestRecord.fetchOne(db, sql: sql, arguments: [limit.milliseconds]), let due = request.due else {
            return nil
        }
        try clock.move(to: due, db)
        let preference = request.consumption.flatMap { try? WireJSON.decode(ConsumptionPreference.self, from: Data($0.utf8)) }
        switch preference?.refundPreference {
        case "DECLINE": try decide(request, .declined, percentage: nil, at: due, db)
        case "GRANT_PRORATED":
            let refundedPercentage = 100_000 - min(max(preference?.consumptionPercentage ?? 0, 0), 99_999)
            try decide(request, .approved, percentage: refundedPercentage, at: due, db)
        default: try decide(request, .approved, percentage: nil, at: due, db)
        }
        return due
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
            return try refund(IssueRefund(transactionID: row.id, percentage: percentage), at: now, db)
        }
        try notify(
            StoreNotice(.refundDeclined), about: row, try SubscriptionRecord.fetchOne(db, key: row.originalID.rawValue), at: now, db)
    }
}
