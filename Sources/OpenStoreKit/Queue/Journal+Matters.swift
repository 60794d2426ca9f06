import Foundation
import GRDB
import PurchaseModel

/// Actions that happen once for an account: deliveries to the app, and requests to the store from the system's sheets.
extension Journal {
    /// Whether the app has received and handled a message, in this app session or an earlier one.
    func isRemembered(_ deliveryID: DeliveryID) throws -> Bool {
        try database.read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM told WHERE account = ? AND matter = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [deliveryID.account.rawValue, deliveryID.name]) ?? false
        }
    }

    /// Remembers that the app has handled a message.
    func remember(_ deliveryID: DeliveryID) throws {
        try change("told") { database in
            try database.execute(
                sql: "INSERT INTO told (account, matter) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [deliveryID.account.rawValue, deliveryID.name])
        }
    }

    /// The idempotency key of a request that costs money; the key stays the same until a response arrives.
    func key(of errand: String, for account: AccountID) throws -> PaymentID {
        try change("errand") { database in
            let arguments: StatementArguments = [account.rawValue, errand]
            try database.execute(
                sql: "INSERT INTO errand (account, errand, payment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: arguments + [PaymentID(UUID()).rawValue])
            let sql = "SELECT payment FROM errand WHERE account = ? AND errand = ?"
            guard let key = try String.fetchOne(database, sql: sql, arguments: arguments) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return PaymentID(key)
        }
    }

    /// Deletes the idempotency key of a request that the store has answered.
    func forget(_ errand: String, for account: AccountID) throws {
        try change("errand") { database in
            try database.execute(sql: "DELETE FROM errand WHERE account = ? AND errand = ?", arguments: [account.rawValue, errand])
        }
    }
}
