import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

/// A customer's refund request.
struct RefundRequestRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "refundRequests"

    /// The state of a refund request; the raw values are stored, and equal those of the control API.
    enum State: String, Codable {
        /// The request is pending.
        case pending = "pending"
        /// The request is approved, and the transaction is refunded.
        case approved = "approved"
        /// The request is declined.
        case declined = "declined"
    }

    var id: Int64?
    var transactionID: TransactionID
    var reason: String
    var date: Timestamp
    /// The date at which the store decides without a tester's decision.
    var due: Timestamp?
    var state: State
    /// The consumption information from the developer's server, as JSON.
    var consumption: String?

    /// The request in the control API's format.
    var description: RefundRequestDescription {
        RefundRequestDescription(
            id: id ?? 0, transactionID: transactionID, reason: reason, date: date, due: due, state: state.rawValue,
            consumption: consumption.map { JSONText(Data($0.utf8)) }
        )
    }

    /// The pending refund request of a transaction.
    static func pending(_ transaction: TransactionID, _ db: Database) throws -> RefundRequestRecord? {
        let sql = "SELECT * FROM refundRequests WHERE transactionID = ? AND state = 'pending'"
        return try fetchOne(db, sql: sql, arguments: [transaction.rawValue])
    }
}
