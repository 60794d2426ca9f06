import LibPQ
import PostgresTestSupport
import Testing

extension PostgresServerTests {
    @Suite struct PostgresTransactionTests {
        private struct RollbackError: Error {}

        private let database: String
        private let connection: PostgresConnectionBox

        init() throws {
            database = try PostgresClusterTrait.createDatabase()
            connection = try PostgresConnectionBox(database)
            try connection.value.query("CREATE TABLE credits (account text PRIMARY KEY, amount bigint NOT NULL)")
            try connection.value.query("INSERT INTO credits VALUES ('one', 10), ('two', 10)")
        }

        /// Returns the committed amount of an account, which another connection reads.
        private func committed(_ account: String) throws -> Int64 {
            let observer = try PostgresConnectionBox(database)
            return try observer.row("SELECT amount FROM credits WHERE account = $1", [.text(account)]).int64("amount")
        }

        @Test func `a transaction that returns is committed`() throws {
            let paid = try connection.value.transaction { transaction in
                try transaction.query("UPDATE credits SET amount = amount - 3 WHERE account = 'one'")
                return 3
            }
            #expect(paid == 3)
            #expect(try committed("one") == 7)
        }

        @Test func `a transaction that throws is rolled back`() throws {
            #expect(throws: RollbackError.self) {
                try connection.value.transaction { transaction in
                    try transaction.query("UPDATE credits SET amount = amount - 3 WHERE account = 'one'")
                    throw RollbackError()
                }
            }
            #expect(try committed("one") == 10)
            #expect(try connection.row("SELECT 1 AS one").int64("one") == 1)
        }

        @Test func `a transaction that ignores a failed statement is rolled back and throws`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    try transaction.query("UPDATE credits SET amount = 0 WHERE account = 'one'")
                    _ = try? transaction.query("INSERT INTO credits VALUES ('one', 1)")
                }
            }
            #expect(error?.sqlState == "25P02")
            #expect(try committed("one") == 10)
        }

        @Test func `a nested transaction is refused`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { outer in
                    try outer.query("UPDATE credits SET amount = 0 WHERE account = 'one'")
                    try outer.transaction { inner in
                        _ = try inner.query("UPDATE credits SET amount = 0 WHERE account = 'two'")
                    }
                }
            }
            #expect(error?.sqlState == "25001")
            #expect(try committed("one") == 10)
            #expect(try committed("two") == 10)
        }

        @Test func `a transaction whose body commits throws`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    _ = try transaction.query("COMMIT")
                }
            }
            #expect(error?.sqlState == "25P01")
        }

        @Test(arguments: PostgresIsolation.allCases)
        func `a transaction runs at the requested isolation level`(_ isolation: PostgresIsolation) throws {
            let level = try connection.value.transaction(isolation: isolation) { transaction in
                try transaction.query("SHOW transaction_isolation").first?.text("transaction_isolation")
            }
            #expect(level == isolation.rawValue.lowercased())
        }

        @Test func `a conflicting update throws a serialization failure`() throws {
            let rival = try PostgresConnectionBox(database)
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction(isolation: .repeatableRead) { transaction in
                    try transaction.query("SELECT amount FROM credits")
                    try rival.value.query("UPDATE credits SET amount = 5 WHERE account = 'one'")
                    try transaction.query("UPDATE credits SET amount = amount - 3 WHERE account = 'one'")
                }
            }
            #expect(error?.isSerializationFailure == true)
            #expect(try committed("one") == 5)
        }
    }
}
