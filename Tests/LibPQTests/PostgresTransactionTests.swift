import LibPQ
import Testing

extension WithServer {
    @Suite struct PostgresTransactionTests {
        private struct ChangeOfMind: Error {}

        private let database: String
        private let connection: PostgresConnectionBox

        init() throws {
            database = try PostgresClusterTrait.makeDatabase()
            connection = try PostgresConnectionBox(database)
            try connection.value.query("CREATE TABLE credits (account text PRIMARY KEY, amount bigint NOT NULL)")
            try connection.value.query("INSERT INTO credits VALUES ('one', 10), ('two', 10)")
        }

        /// What another connection sees, and so what was committed.
        private func committed(_ account: String) throws -> Int64 {
            let observer = try PostgresConnectionBox(database)
            return try observer.row("SELECT amount FROM credits WHERE account = $1", [.text(account)]).int64("amount")
        }

        @Test func `what a transaction did is kept when it returns`() throws {
            let paid = try connection.value.transaction { transaction in
                try transaction.query("UPDATE credits SET amount = amount - 3 WHERE account = 'one'")
                return 3
            }
            #expect(paid == 3)
            #expect(try committed("one") == 7)
        }

        @Test func `what a transaction did is undone when it throws`() throws {
            #expect(throws: ChangeOfMind.self) {
                try connection.value.transaction { transaction in
                    try transaction.query("UPDATE credits SET amount = amount - 3 WHERE account = 'one'")
                    throw ChangeOfMind()
                }
            }
            #expect(try committed("one") == 10)
            #expect(try connection.row("SELECT 1 AS one").int64("one") == 1)
        }

        @Test func `a transaction that swallowed an error is undone and says so`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    try transaction.query("UPDATE credits SET amount = 0 WHERE account = 'one'")
                    _ = try? transaction.query("INSERT INTO credits VALUES ('one', 1)")
                }
            }
            #expect(error?.sqlState == "25P02")
            #expect(try committed("one") == 10)
        }

        @Test func `a transaction in a transaction is refused`() throws {
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

        @Test func `a transaction ended by its own body says so`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    _ = try transaction.query("COMMIT")
                }
            }
            #expect(error?.sqlState == "25P01")
        }

        @Test(arguments: PostgresIsolation.allCases)
        func `a transaction runs at the isolation it asked for`(_ isolation: PostgresIsolation) throws {
            let level = try connection.value.transaction(isolation: isolation) { transaction in
                try transaction.query("SHOW transaction_isolation").first?.text("transaction_isolation")
            }
            #expect(level == isolation.rawValue.lowercased())
        }

        @Test func `the loser of a race is told to run again`() throws {
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
