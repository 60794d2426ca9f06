import Foundation
import GRDB
import PostgresTestSupport
import ProcessTestSupport
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Tests of `tillroll-server copy` as a process, which is killed and started again.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct CopyKillTests {
    private static let rows = 30_000
    private static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"] == nil ? 4 : 20

    /// Creates a database of a server with many rows in two tables, and returns its path.
    private static func createSource(in folder: TemporaryFolder) async throws -> String {
        try RunningServer.writeFiles(in: folder)
        _ = try await RunningServer.secretKey(RunningServer.arguments(in: folder))
        let path = folder.file("server.sqlite").path
        try await DatabaseQueue.waiting(path: path).write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows / 2))
                    INSERT INTO jws_header SELECT 'com.example.app', 'key ' || n, '日本 ' || n FROM numbers;
                    INSERT INTO receipt SELECT 'com.example.app', randomblob(32), randomblob(200) FROM jws_header;
                    """)
        }
        return path
    }

    private static func arguments(_ source: String, _ destination: String) -> [String] { ["copy", "--from", source, "--to", destination] }

    /// Starts a copy, and kills it after it has stored a page; returns whether it was killed.
    private static func kill(_ arguments: [String]) async throws -> Bool {
        let process = try RunningServer.launch(arguments + ["--json"])
        for await line in process.lines where line.contains(#""pass":"copy""#) { break }
        await process.kill()
        return await process.end() == SIGKILL
    }

    /// The rows of all tables, as the literals of SQLite.
    private static func dump(_ path: String) async throws -> [String] {
        try await DatabaseQueue.waiting(path: path).read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name != 'grdb_migrations'")
            return try tables.sorted().flatMap { table in
                let literals = try db.columns(in: table).map { "quote(\"\($0.name)\")" }.joined(separator: " || ', ' || ")
                return try String.fetchAll(db, sql: "SELECT '\(table) ' || \(literals) AS line FROM \(table) ORDER BY line")
            }
        }
    }

    @Test func `a copy that is killed again and again continues, to PostgreSQL and back, and nothing differs`() async throws {
        try await TemporaryFolder.with { folder in
            let source = try await Self.createSource(in: folder)
            let (postgres, back) = (try PostgresClusterTrait.createDatabaseURL(), folder.file("back.sqlite").path)
            for arguments in [Self.arguments(source, postgres), Self.arguments(postgres, back)] {
                var kills = 0
                for _ in 0..<Self.rounds where try await Self.kill(arguments) { kills += 1 }
                #expect(kills == Self.rounds)
                let (code, lines) = try await RunningServer.run(arguments + ["--json"])
                #expect(code == 0 && lines.first?.hasPrefix(#"{"event":"continued","rows":"#) == true, "\(lines)")
                let continued = lines.first.flatMap { Int($0.filter(\.isNumber)) } ?? 0
                #expect(continued > 500 * (Self.rounds - 1) && continued < Self.rows, "\(continued)")
                #expect(lines.last?.contains(#""differences":0,"#) == true, "\(lines)")
                let (again, refused) = try await RunningServer.run(arguments)
                #expect(again == 73 && refused.last?.contains("The destination has rows") == true, "\(refused)")
            }
            let (expected, copied) = (try await Self.dump(source), try await Self.dump(back))
            #expect(copied.count > Self.rows && copied.elementsEqual(expected) { $0.utf8.elementsEqual($1.utf8) })
        }
    }

    @Test func `a row that was changed after it was copied is named, and a new copy is equal`() async throws {
        try await TemporaryFolder.with { folder in
            let (source, copy) = (try await Self.createSource(in: folder), folder.file("copy.sqlite").path)
            let arguments = Self.arguments(source, copy)
            #expect(try await Self.kill(arguments))
            try await DatabaseQueue.waiting(path: source).write { try $0.execute(sql: "UPDATE api_key SET name = 'changed'") }
            let (code, lines) = try await RunningServer.run(arguments)
            #expect(code == 1 && lines.first?.hasPrefix("continues after ") == true, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("api_key (") && $0.hasSuffix("): different values of name") }, "\(lines)")
            #expect(lines.last?.hasSuffix(", differences: 1") == true, "\(lines)")
            let (restarted, report) = try await RunningServer.run(arguments + ["--restart"])
            #expect(restarted == 0 && report.last?.hasSuffix(", differences: 0") == true, "\(report)")
        }
    }

    @Test func `the command states in its exit code what to do`() async throws {
        try await TemporaryFolder.with { folder in
            let (source, other) = (try await Self.createSource(in: folder), folder.file("other.sqlite").path)
            let cases: [(String, String, Int32, String)] = [
                (folder.file("nowhere").path, other, 66, "does not exist"), (source, source, 64, "the same database"),
                (source, ":memory:", 64, "in memory"), (source, "postgresql://a:secret@localhost/x", 64, "password file"),
                ("postgresql://localhost/x?password=secret", other, 64, "password file"),
                (folder.file("products.json").path, other, 78, "database"),
                (source, "postgresql://localhost:1/x?connect_timeout=1", 75, "database"),
                (try PostgresClusterTrait.createDatabaseURL(), other, 66, "no tables"),
            ]
            for (from, to, code, text) in cases {
                let (found, lines) = try await RunningServer.run(Self.arguments(from, to))
                let output = lines.joined(separator: "\n")
                #expect(found == code && output.contains(text) && !output.contains("secret@"), "\(from) \(to): \(found) \(output)")
            }
            #expect(!FileManager.default.fileExists(atPath: other))
        }
    }
}
