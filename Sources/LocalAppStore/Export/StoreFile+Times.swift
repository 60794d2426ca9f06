import Foundation
import GRDB
import PurchaseModel

extension StoreFile {
    /// The latest valid end of a subscription period, which is far in the future because a free trial can last 366 years.
    private static let latestEnd = Timestamp(milliseconds: 32_503_680_000_000)

    /// The times in a store's database at which the store schedules events: display name, table, SQL expression and latest valid time.
    private static let times: [(name: String, table: String, value: String, latest: Timestamp)] = [
        ("A renewal date", "subscriptions", "nextRenewalDate", latestEnd),
        ("The end of a subscription's period", "subscriptions", "json_extract(subscription, '$.paidUntil')", latestEnd),
        (
            "The start of a subscription's period", "subscriptions", "json_extract(subscription, '$.period.start')",
            StoreTime.range.upperBound
        ),
        ("The end of a grace or billing retry period", "subscriptions", "json_extract(subscription, '$.state.until')", latestEnd),
        ("The end of a billing retry period", "subscriptions", "json_extract(subscription, '$.state.retryUntil')", latestEnd),
        ("The latest event of a subscription", "subscriptions", "json_extract(subscription, '$.handledUntil')", StoreTime.range.upperBound),
        ("The date of a refund decision", "refundRequests", "due", latestEnd),
    ]

    /// Checks the times in a store's database, because invalid times would keep the store busy permanently.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if a time is out of range or unreadable.
    static func checkTimes(_ db: Database) throws {
        if let time = try storeTime(db) {
            for moment in [time.store, time.base] where !StoreTime.range.contains(moment) {
                throw ImportError.invalidStoreFile(.timeOutOfRange("The store's time", milliseconds: moment.milliseconds))
            }
            guard time.isValid else { throw ImportError.invalidStoreFile(.invalidTable(table: "settings")) }
        }
        for time in times where try db.tableExists(time.table) {
            let sql = "SELECT min(v), max(v) FROM (SELECT \(time.value) AS v FROM \(time.table))"
            guard let row = try Row.fetchOne(db, sql: sql) else { continue }
            for index in 0..<2 {
                let value: DatabaseValue = row[index]
                guard !value.isNull else { continue }
                guard let milliseconds = Int64.fromDatabaseValue(value) else {
                    throw ImportError.invalidStoreFile(.invalidTable(table: time.table))
                }
                guard (StoreTime.range.lowerBound...time.latest).contains(Timestamp(milliseconds: milliseconds)) else {
                    throw ImportError.invalidStoreFile(.timeOutOfRange(time.name, milliseconds: milliseconds))
                }
            }
        }
    }
    /// Returns the state of the store's clock from its database; nil if the database has none.
    ///
    /// - Throws: ``ImportError/invalidStoreFile(_:)`` if the state is unreadable.
    private static func storeTime(_ db: Database) throws -> StoreTime? {
        do {
            return try StoreSettings.time(db)
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw ImportError.invalidStoreFile(.invalidTable(table: "settings"))
        }
    }
}
