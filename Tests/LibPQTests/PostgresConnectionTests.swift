import LibPQ
import PostgresTestSupport
import Testing

extension PostgresServerTests {
    @Suite struct PostgresConnectionTests {
        private let connection: PostgresConnectionBox

        init() throws {
            connection = try PostgresConnectionBox(PostgresClusterTrait.createDatabase())
        }

        // MARK: Values

        @Test(arguments: ["", "monkey", "Zoë 🐒", "it's \"quoted\" \\ and\nbroken", "\\x00", "NULL"])
        func `text survives a round trip`(_ text: String) throws {
            let row = try connection.row("SELECT $1 AS value", [.text(text)])
            #expect(try row.text("value") == text)
        }

        @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
        func `an integer survives a round trip`(_ number: Int64) throws {
            let row = try connection.row("SELECT $1::bigint AS value", [.int64(number)])
            #expect(try row.int64("value") == number)
        }

        @Test(arguments: [true, false])
        func `a Boolean value survives a round trip`(_ flag: Bool) throws {
            let row = try connection.row("SELECT $1::boolean AS value", [.bool(flag)])
            #expect(try row.bool("value") == flag)
        }

        @Test(arguments: [[], [0], [0, 1, 0, 0], Array("\\x00'".utf8), Array(0...255)], ["hex", "escape"])
        func `bytes survive a round trip, including zeros`(_ bytes: [UInt8], _ output: String) throws {
            try connection.value.query("SET bytea_output = \(output)")
            let row = try connection.row("SELECT $1::bytea AS value, length($1::bytea) AS length", [.bytes(bytes)])
            #expect(try row.bytes("value") == bytes)
            #expect(try row.int64("length") == Int64(bytes.count))
        }

        @Test(arguments: ["text", "bigint", "boolean", "bytea"])
        func `null of every type is read as nil`(_ type: String) throws {
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

        @Test func `text with a zero byte is refused, not truncated`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("SELECT $1", [.text("monkey\0business")])
            }
            #expect(error?.sqlState == "22021")
        }

        @Test func `a statement with a zero byte is refused, not truncated`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("DELETE FROM credits\0 WHERE account = 'one'")
            }
            #expect(error?.sqlState == "22021")
        }

        @Test func `more parameters than the protocol allows are refused`() throws {
            let error = #expect(throws: PostgresError.self) {
                try connection.value.query("SELECT 1", Array(repeating: .null, count: 65536))
            }
            #expect(error?.sqlState == "54023")
        }

        // MARK: Results

        @Test func `rows keep their order and have named columns`() throws {
            let result = try connection.value.query(
                "SELECT n, n * n AS square FROM generate_series(1, 3) AS n ORDER BY n")
            #expect(result.columns == ["n", "square"])
            #expect(try result.map { try $0.int64("square") } == [1, 4, 9])
        }

        @Test func `a result outlives its connection`() throws {
            let result = try PostgresConnection(PostgresClusterTrait.createDatabase()).query(
                "SELECT 'still here' AS value")
            #expect(try result.first?.text("value") == "still here")
        }

        @Test func `a statement reports the number of affected rows`() throws {
            try connection.value.query("CREATE TABLE credits (account text)")
            let inserted = try connection.value.query("INSERT INTO credits VALUES ('one'), ('two')")
            #expect(inserted.affectedRows == 2)
            #expect(inserted.isEmpty)
            #expect(try connection.value.query("DELETE FROM credits WHERE account = 'three'").affectedRows == 0)
        }

        @Test func `a column that is missing, null or of another type is an error`() throws {
            let row = try connection.row("SELECT 'monkey' AS word, NULL AS nothing")
            #expect(throws: PostgresError.unreadable(column: "monkeys")) { try row.text("monkeys") }
            #expect(throws: PostgresError.unreadable(column: "nothing")) { try row.text("nothing") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.int64OrNull("word") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.boolOrNull("word") }
            #expect(throws: PostgresError.unreadable(column: "word")) { try row.bytesOrNull("word") }
        }

        // MARK: Safety

        @Test func `a parameter is never interpreted as SQL`() throws {
            let hostile = "'); DROP TABLE credits; --"
            try connection.value.query("CREATE TABLE credits (account text)")
            try connection.value.query("INSERT INTO credits VALUES ($1)", [.text(hostile)])
            let row = try connection.row("SELECT account FROM credits WHERE account = $1", [.text(hostile)])
            #expect(try row.text("account") == hostile)
            #expect(
                try connection.value.query("SELECT 1 FROM credits WHERE account = $1", [.text("' OR ''='")]).isEmpty)
        }

        @Test func `a second statement after a semicolon is refused`() throws {
            #expect(throws: PostgresError.self) { try connection.value.query("SELECT 1; SELECT 2") }
        }

        @Test func `COPY is refused`() throws {
            let error = #expect(throws: PostgresError.self) { try connection.value.query("COPY (SELECT 1) TO STDOUT") }
            #expect(error?.sqlState == "0A000")
        }

        // MARK: Errors

        @Test func `a unique violation differs from other errors`() throws {
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

        @Test func `an error description contains no values of the statement`() throws {
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
