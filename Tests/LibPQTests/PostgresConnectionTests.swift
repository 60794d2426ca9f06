import LibPQ
import Testing

extension WithServer {
    @Suite struct PostgresConnectionTests {
        private let connection: PostgresConnectionBox

        init() throws {
            connection = try PostgresConnectionBox(PostgresClusterTrait.makeDatabase())
        }

        // MARK: Values

        @Test(arguments: ["", "monkey", "Zoë 🐒", "it's \"quoted\" \\ and\nbroken", "\\x00", "NULL"])
        func `text comes back as it went`(_ text: String) throws {
            let row = try connection.row("SELECT $1 AS value", [.text(text)])
            #expect(try row.text("value") == text)
        }

        @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
        func `a whole number comes back as it went`(_ number: Int64) throws {
            let row = try connection.row("SELECT $1::bigint AS value", [.int64(number)])
            #expect(try row.int64("value") == number)
        }

        @Test(arguments: [true, false])
        func `a truth value comes back as it went`(_ flag: Bool) throws {
            let row = try connection.row("SELECT $1::boolean AS value", [.bool(flag)])
            #expect(try row.bool("value") == flag)
        }

        @Test(arguments: [[], [0], [0, 1, 0, 0], Array("\\x00'".utf8), Array(0...255)], ["hex", "escape"])
        func `bytes come back as they went, zeroes included`(_ bytes: [UInt8], _ output: String) throws {
            try connection.value.query("SET bytea_output = \(output)")
            let row = try connection.row("SELECT $1::bytea AS value, length($1::bytea) AS length", [.bytes(bytes)])
            #expect(try row.bytes("value") == bytes)
            #expect(try row.int64("length") == Int64(bytes.count))
        }

        @Test(arguments: ["text", "bigint", "boolean", "bytea"])
        func `null of every type stays null`(_ type: String) throws {
            let row = try connection.row("SELECT $1::\(type) AS value", [.null])
            #expect(try row.isNull("value"))
            #expect(try row.textOrNull("value") == nil)
            #expect(try row.int64OrNull("value") == nil)
            #expect(try row.boolOrNull("value") == nil)
            #expect(try row.bytesOrNull("value") == nil)
        }

        @Test func `an absent optional is sent as null`() throws {
            let parameters = [
                PostgresValue(nil as String?), PostgresValue(nil as Int64?), PostgresValue(nil as Bool?),
                PostgresValue(nil as [UInt8]?),
            ]
            let row = try connection.row(
                "SELECT $1::text IS NULL AND $2::bigint IS NULL AND $3::boolean IS NULL AND $4::bytea IS NULL AS all",
                parameters
            )
            #expect(try row.bool("all"))
        }

        @Test func `text with a zero byte is refused, not cut`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("SELECT $1", [.text("monkey\0business")])
            }
            #expect(error?.sqlState == "22021")
        }

        @Test func `a statement with a zero byte is refused, not cut`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("DELETE FROM credits\0 WHERE account = 'one'")
            }
            #expect(error?.sqlState == "22021")
        }

        @Test func `more parameters than the protocol counts are refused`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("SELECT 1", Array(repeating: .null, count: 65536))
            }
            #expect(error?.sqlState == "54023")
        }

        // MARK: Results

        @Test func `rows come in order under the names of their columns`() throws {
            let result = try connection.value.query(
                "SELECT n, n * n AS square FROM generate_series(1, 3) AS n ORDER BY n")
            #expect(result.columns == ["n", "square"])
            #expect(try result.map { try $0.int64("square") } == [1, 4, 9])
        }

        @Test func `a result outlives its connection`() throws {
            let result = try PostgresConnection(PostgresClusterTrait.makeDatabase()).query(
                "SELECT 'still here' AS value")
            #expect(try result.first?.text("value") == "still here")
        }

        @Test func `a change says how many rows it touched`() throws {
            try connection.value.query("CREATE TABLE credits (account text)")
            let inserted = try connection.value.query("INSERT INTO credits VALUES ('one'), ('two')")
            #expect(inserted.affectedRows == 2)
            #expect(inserted.isEmpty)
            #expect(try connection.value.query("DELETE FROM credits WHERE account = 'three'").affectedRows == 0)
        }

        @Test func `a column that is missing, null or of another kind is an error, never a guess`() throws {
            let row = try connection.row("SELECT 'monkey' AS word, NULL AS nothing")
            #expect(throws: PostgresError.unreadable(column: "monkeys")) { try row.text("monkeys") }
            #expect(throws: PostgresError.unreadable(column: "nothing")) { try row.text("nothing") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.int64OrNull("word") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.boolOrNull("word") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.bytesOrNull("word") }
        }

        // MARK: Safety

        @Test func `a parameter is never read as SQL`() throws {
            let hostile = "'); DROP TABLE credits; --"
            try connection.value.query("CREATE TABLE credits (account text)")
            try connection.value.query("INSERT INTO credits VALUES ($1)", [.text(hostile)])
            let row = try connection.row("SELECT account FROM credits WHERE account = $1", [.text(hostile)])
            #expect(try row.text("account") == hostile)
            #expect(
                try connection.value.query("SELECT 1 FROM credits WHERE account = $1", [.text("' OR ''='")]).isEmpty)
        }

        @Test func `a second statement behind a semicolon is refused`() throws {
            #expect(throws: PostgresError.self) { try connection.value.query("SELECT 1; SELECT 2") }
        }

        @Test func `COPY is refused`() throws {
            let error = #expect(throws: PostgresError.self) { try connection.value.query("COPY (SELECT 1) TO STDOUT") }
            #expect(error?.sqlState == "0A000")
        }

        // MARK: Errors

        @Test func `a unique violation is told apart from other errors`() throws {
            try connection.value.query("CREATE TABLE grants (id text PRIMARY KEY CHECK (id <> ''))")
            try connection.value.query("INSERT INTO grants VALUES ('one')")
            let again = #expect(throws: PostgresError.self) {
                try connection.value.query("INSERT INTO grants VALUES ($1)", [.text("one")])
            }
            let empty = #expect(throws: PostgresError.self) {
                try connection.value.query("INSERT INTO grants VALUES ($1)", [.text("")])
            }
            #expect(again?.isUniqueViolation == true)
            #expect(empty?.isUniqueViolation == false)
            #expect(empty?.sqlState == "23514")
        }

        @Test func `an error describes itself without the values of the statement`() throws {
            let error = try #require(
                #expect(throws: PostgresError.self) {
                    try connection.value.query("SELECT $1::bigint", [.text("hunter2")])
                }
            )
            #expect(error.sqlState == "22P02")
            #expect(!"\(error)".contains("hunter2"))
        }

        @Test func `a failed statement leaves the connection usable`() throws {
            #expect(throws: PostgresError.self) { try connection.value.query("SELEKT") }
            #expect(try connection.row("SELECT 1 AS one").int64("one") == 1)
        }
    }
}
