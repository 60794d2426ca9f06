import Foundation
import GRDB
import PurchaseModel

/// Records of actions that take place once for an account: deliveries to the app, and requests to the store that cost money.
extension Journal {
    /// Returns whether the app has handled a message or a promoted in-app purchase, in this app session or an earlier one.
    func isAcknowledged(_ deliveryID: DeliveryID) throws -> Bool {
        try database.read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM acknowledgment WHERE account = ? AND message = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [deliveryID.account.rawValue, deliveryID.name]) ?? false
        }
    }

    /// Records that the app has handled a message or a promoted in-app purchase.
    func acknowledge(_ deliveryID: DeliveryID) throws {
        try change("acknowledgments") { database in
            try database.execute(
                sql: "INSERT INTO acknowledgment (account, message) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [deliveryID.account.rawValue, deliveryID.name])
        }
    }

    /// Returns the idempotency key of a request that costs money; the key stays the same until the store has answered the request.
    ///
    /// - Parameter operation: The text that identifies the request, such as `redeem` followed by an offer code.
    func idempotencyKey(of operation: String, for account: AccountID) throws -> PaymentID {
        try change("idempotencyKeys") { database in
            let arguments: StatementArguments = [account.rawValue, operation]
            try database.execute(
                sql: "INSERT INTO idempotencyKey (account, operation, payment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: arguments + [PaymentID(UUID()).rawValue])
            let sql = "SELECT payment FROM idempotencyKey WHERE account = ? AND operation = ?"
            guard let key = try String.fetchOne(database, sql: sql, arguments: arguments) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return PaymentID(key)
        }
    }

    /// Deletes the idempotency key of a request that the store has answered.
    ///
    /// - Parameter operation: The text that identifies the request, such as `redeem` followed by an offer code.
    func forgetIdempotencyKey(of operation: String, for account: AccountID) throws {
        try change("idempotencyKeys") { database in
            try database.execute(
                sql: "DELETE FROM idempotencyKey WHERE account = ? AND operation = ?", arguments: [account.rawValue, operation])
        }
    }
}
