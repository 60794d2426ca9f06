import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import StoreProtocol

/// An account's request to refund a transaction, as a row of the database.
struct RefundRequestRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "refundRequests"

    /// The state of a refund request; the database stores the raw values, which are also those of the control API.
    enum State: String, Codable {
        /// The store has not yet decided about the request.
        case pending = "pending"
        /// The store approved the request and refunded the transaction.
        case approved = "approved"
        /// The store declined the request.
        case declined = "declined"
    }

    var id: Int64?
    var transactionID: TransactionID
    var reason: String
    var date: Timestamp
    /// The date on which the store decides about the request on its own; nil after the decision.
    var due: Timestamp?
    var state: State
    /// The consumption information that the developer's server sent, as JSON; nil if it sent none.
    var consumption: String?

    /// The refund request as the control API returns it.
    var description: RefundRequestDescription {
        RefundRequestDescription(
            id: id ?? 0, transactionID: transactionID, reason: reason, date: date, due: due, state: state.rawValue,
            consumption: consumption.map { JSONText(Data($0.utf8)) }
        )
    }

    /// Returns the pending refund request for a transaction; nil if there is none.
    static func pending(_ transaction: TransactionID, _ db: Database) throws -> RefundRequestRecord? {
        let sql = "SELECT * FROM refundRequests WHERE transactionID = ? AND state = 'pending'"
        return try fetchOne(db, sql: sql, arguments: [transaction.rawValue])
    }
}
