import Foundation
import GRDB
import PurchaseModel

/// What is done once for an account: what the app is told, and what the store is asked for in the system's own sheets.
extension Journal {
    /// Whether the app was told of a matter in this launch or an earlier one, and has dealt with it.
    func isRemembered(_ deliveryID: DeliveryID) throws -> Bool {
        try database.read { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM told WHERE account = ? AND matter = ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [deliveryID.account.rawValue, deliveryID.name]) ?? false
        }
    }

    /// Remembers that the app was told of a matter.
    func remember(_ deliveryID: DeliveryID) throws {
        try change("told") { database in
            try database.execute(
                sql: "INSERT INTO told (account, matter) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [deliveryID.account.rawValue, deliveryID.name])
        }
    }

    /// The key under which the store is asked for something that costs money: the same until an answer has come.
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

    /// Forgets the key of what the store has answered.
    func forget(_ errand: String, for account: AccountID) throws {
        try change("errand") { database in
            try database.execute(sql: "DELETE FROM errand WHERE account = ? AND errand = ?", arguments: [account.rawValue, errand])
        }
    }
}
