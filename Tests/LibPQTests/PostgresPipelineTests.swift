import LibPQ
import PostgresTestSupport
import Testing

extension PostgresServerTests {
    /// Tests of statements that are sent without waiting for their results.
    @Suite struct PostgresPipelineTests {
        private let connection: PostgresConnectionBox

        init() throws {
            connection = try PostgresConnectionBox(PostgresClusterTrait.createDatabase())
            try connection.value.query("CREATE TABLE credits (account text PRIMARY KEY, amount bigint NOT NULL)")
        }

        private static let insert = "INSERT INTO credits VALUES ($1, $2)"
        private static let count = "SELECT count(*) AS count FROM credits"

        private func count(in transaction: PostgresConnection) throws -> Int64? {
            try transaction.queryPrepared(Self.count).first?.int64("count")
        }

        @Test(arguments: [0, 1, 99, 100, 101, 1_000])
        func `statements that are sent take effect in their order, and a query after them sees all`(_ count: Int64) throws {
            let counted = try connection.value.transaction { transaction in
                for number in 0..<count { try transaction.sendPrepared(Self.insert, [.text("\(number)"), .int64(number)]) }
                return try self.count(in: transaction)
            }
            #expect(counted == count)
            #expect(try connection.row(Self.count).int64("count") == count)
        }

        @Test func `a transaction that only sends is committed`() throws {
            try connection.value.transaction { try $0.sendPrepared(Self.insert, [.text("one"), .int64(1)]) }
            #expect(try connection.row(Self.count).int64("count") == 1)
        }

        @Test func `the error of a sent statement is thrown by the next query, and nothing is committed`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    for account in ["one", "one", "two"] { try transaction.sendPrepared(Self.insert, [.text(account), .int64(1)]) }
                    _ = try self.count(in: transaction)
                }
            }
            #expect(error?.isUniqueViolation == true)
            #expect(try connection.row(Self.count).int64("count") == 0)
        }

        @Test func `the error of a sent statement is thrown by the commit, and the connection can be used again`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { transaction in
                    for account in ["one", "one"] { try transaction.sendPrepared(Self.insert, [.text(account), .int64(1)]) }
                }
            }
            #expect(error?.isUniqueViolation == true)
            try connection.value.transaction { try $0.sendPrepared(Self.insert, [.text("one"), .int64(1)]) }
            #expect(try connection.row(Self.count).int64("count") == 1)
        }

        @Test func `a statement that could not be prepared is prepared again`() throws {
            let missing = "SELECT amount FROM debits"
            for _ in 0..<2 {
                let error = #expect(throws: PostgresError.self) { try connection.value.queryPrepared(missing) }
                #expect(error?.isUndefinedTable == true)
            }
            try connection.value.query("CREATE TABLE debits (amount bigint NOT NULL)")
            #expect(try connection.value.queryPrepared(missing).isEmpty)
        }

        @Test func `a statement whose transaction failed before it is prepared again`() throws {
            _ = try? connection.value.transaction { transaction in
                for account in ["one", "one"] { try transaction.sendPrepared(Self.insert, [.text(account), .int64(1)]) }
                _ = try self.count(in: transaction)
            }
            #expect(try count(in: connection.value) == 0)
        }

        @Test func `a nested transaction is refused also before the first result`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.transaction { outer in try outer.transaction { _ in } }
            }
            #expect(error?.sqlState == "25001")
        }
    }
}
