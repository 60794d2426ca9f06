import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

/// A customer's request for a refund.
struct RefundRequestRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "refundRequests"

    /// Where a request stands.
    enum State: String, Codable {
        /// Nobody decided yet.
        case pending
        /// The money was given back.
        case granted
        /// It was not.
        case declined
    }

    var id: Int64?
    var transactionID: TransactionID
    var reason: String
    var date: Timestamp
    /// When the store decides by itself.
    var due: Timestamp?
    var state: State
    /// What the developer's server said, as JSON.
    var consumption: String?

    /// The request as the wire has it.
    var description: RefundRequestDescription {
        RefundRequestDescription(
            id: id ?? 0, transaction: transactionID, reason: reason, date: date, due: due, state: state.rawValue,
            consumption: consumption.map { JSONText(Data($0.utf8)) }
        )
    }

    /// The request of a transaction that waits for a decision.
    static func pending(_ transaction: TransactionID, _ db: Database) throws -> RefundRequestRecord? {
        let sql = "SELECT * FROM refundRequests WHERE transactionID = ? AND state = 'pending'"
        return try fetchOne(db, sql: sql, arguments: [transaction.rawValue])
    }
}
