import Foundation
import GRDB
import PurchaseModel

/// Actions that happen once for an account: deliveries to the app, and requests to the store from the system's sheets.
extension Journal {
    /// Whether the app has received and handled a message, in this app session or an earlier one.
    func isAcknowledged(_ deliveryID: DeliveryID) throws -> Bool {
        try database.read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM acknowledgment WHERE account = ? AND message = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [deliveryID.account.rawValue, deliveryID.name]) ?? false
        }
    }

    /// Remembers that the app has handled a message.
    func acknowledge(_ deliveryID: DeliveryID) throws {
        try change("acknowledgments") { database in
            try database.execute(
                sql: "INSERT INTO acknowledgment (account, message) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [deliveryID.account.rawValue, deliveryID.name])
        }
    }

    /// The idempotency key of a request that costs money; the key stays the same until a response arrives.
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
    func forgetIdempotencyKey(of operation: String, for account: AccountID) throws {
        try change("idempotencyKeys") { database in
            try database.execute(
                sql: "DELETE FROM idempotencyKey WHERE account = ? AND operation = ?", arguments: [account.rawValue, operation])
        }
    }
}
