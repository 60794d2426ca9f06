import GRDB
import PurchaseModel

/// A claim of a seat in a group whose members the developer's server invites, as a row of the database.
struct SeatClaimRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "seatClaims"

    /// The `seatClaimId`, a lowercase UUID.
    let id: String
    /// The original transaction identifier of the purchaser's subscription.
    let originalID: TransactionID
    /// The identifier with which the developer's server requested the claim, in lowercase.
    let requestIdentifier: String
    /// The `appTransactionId` of the member; nil for a member who is not associated.
    var appTransactionID: String?
    let claimedAt: Timestamp
    /// The date at which the developer's server or the store released the seat; nil for an active claim.
    var releasedAt: Timestamp?

    /// Returns the active claims of a subscription, oldest first.
    static func active(of id: TransactionID, _ db: Database) throws -> [SeatClaimRecord] {
        let sql = "SELECT * FROM seatClaims WHERE originalID = ? AND releasedAt IS NULL ORDER BY rowid"
        return try fetchAll(db.cachedStatement(sql: sql), arguments: [id.rawValue])
    }

    /// Returns the claim that a request made; nil if the store has not received the request.
    static func find(request identifier: String, of id: TransactionID, _ db: Database) throws -> SeatClaimRecord? {
        let sql = "SELECT * FROM seatClaims WHERE originalID = ? AND requestIdentifier = ?"
        return try fetchOne(db.cachedStatement(sql: sql), arguments: [id.rawValue, identifier])
    }

    /// Releases claims.
    static func release(_ claims: [SeatClaimRecord], at now: Timestamp, _ db: Database) throws {
        for claim in claims {
            try db.cachedStatement(sql: "UPDATE seatClaims SET releasedAt = ? WHERE id = ?")
                .execute(arguments: [now.milliseconds, claim.id])
        }
    }
}
