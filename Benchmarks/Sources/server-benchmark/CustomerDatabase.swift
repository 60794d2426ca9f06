import Crypto
import Foundation
import GRDB
import PurchaseModel

/// Fills the server's database with customers, by copying the rows of a customer whose purchase the server has recorded.
///
/// A copied customer has the rows that reads and submissions look up: the customer, a token, and a purchase. Its signed events are not
/// copied.
struct CustomerDatabase {
    /// The number of a customer who was copied for each number from 1 to this one.
    let count: Int

    /// The customer whose rows are copied, and the number of the transaction of the purchase.
    static let template = (customer: CustomerID("f0000000-0000-4000-8000-000000000000"), transaction: 0)

    /// Returns the identifier of the copied customer with a number.
    static func customer(_ number: Int) -> CustomerID {
        CustomerID(String(format: "%08x-0000-4000-8000-%012x", number, number))
    }

    /// Returns the token of the copied customer with a number.
    static func token(_ number: Int) -> String { "ct_\(String(repeating: "0", count: 30))\(number)" }

    /// Copies the rows, in the order of their keys.
    func fill(_ folder: BenchmarkFolder) async throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            let digest = DatabaseFunction("digest", argumentCount: 1, pure: true) { values in
                (Int.fromDatabaseValue(values[0])).map { Data(SHA256.hash(data: Data(Self.token($0).utf8))) }
            }
            db.add(function: digest)
            try db.execute(sql: "PRAGMA cache_size = -200000")
        }
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        try await queue.writeWithoutTransaction { [count] db in
            let numbers = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))"
            let customer = "printf('%08x-0000-4000-8000-%012x', n, n)"
            let original = "CAST(2000000000000000 + n AS TEXT)"
            let template = "'\(Self.template.customer.rawValue)'"
            let entitlement = "replace(entitlement, '\(SignedSamples.transactionID(Self.template.transaction).rawValue)', \(original))"
            try db.execute(
                sql: """
                    BEGIN;
                    INSERT INTO customer (app, customer, created_at) \(numbers)
                        SELECT app, \(customer), 0 FROM numbers, customer_purchase WHERE customer = \(template);
                    INSERT INTO customer_token (app, customer, created_at, digest) \(numbers)
                        SELECT app, \(customer), 0, digest(n) FROM numbers, customer_purchase WHERE customer = \(template) ORDER BY 4;
                    INSERT INTO customer_purchase (app, customer, product_id, original_transaction_id, attribution, owner, entitlement) \(numbers)
                        SELECT app, \(customer), product_id, \(original), attribution, owner, \(entitlement)
                        FROM numbers, customer_purchase WHERE customer = \(template);
                    INSERT INTO purchase (app, original_transaction_id, customer, attribution, shared_with, entitlement) \(numbers)
                        SELECT app, \(original), \(customer), attribution, shared_with, \(entitlement)
                        FROM numbers, purchase WHERE customer = \(template);
                    COMMIT;
                    PRAGMA wal_checkpoint(TRUNCATE);
                    """)
        }
        try queue.close()
    }
}
