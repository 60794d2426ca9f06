package import GRDB

extension SQLiteSchema {
    /// The maximum length in bytes of a normalized statement; the statements of the server are much shorter.
    private static let longestStatement = 65_536
    /// SQLite's white space.
    private static let whiteSpace: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x20]
    /// The opening characters of quoted text, each with its closing character.
    private static let quotes: [UInt8: UInt8] = [
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
        UInt8(ascii: "["): UInt8(ascii: "]"),
    ]

    /// The objects of a database with this version's tables, each with the statement that creates it.
    private static let currentDefinitions: Result<[String: String], any Error> = Result {
        try definitions(after: migrator.migrations.last)
    }

    /// Refuses triggers, views and virtual tables, which no version of this server creates.
    ///
    /// The check precedes the migration, because a migration could run a trigger.
    package static func refuseForeignObjects(_ db: Database, of path: String) throws {
        let sql = """
            SELECT type || ' ' || name FROM sqlite_master
            WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY 1 LIMIT \(SchemaError.namedObjects)
            """
        let objects = try String.fetchAll(db, sql: sql)
        guard objects.isEmpty else { throw SchemaError(changed: objects, path: path) }
    }

    /// Refuses a database whose tables or indexes differ from the result of its last migration.
    ///
    /// A file from another source may lack a unique index that the server's statements need, or may have an additional constraint. A
    /// database that lacks an earlier migration is not compared before the migration, because the tables depend on the order of migrations.
    package static func compareDefinitions(_ db: Database, of path: String) throws {
        let all = migrator.migrations
        let applied = try migrator.appliedMigrations(db)
        guard applied.elementsEqual(all.prefix(applied.count)) else { return }
        var expected = try applied.count == all.count ? currentDefinitions.get() : definitions(after: applied.last)
        let found = try definitions(of: db)
        // Permit the table with the progress of an unfinished copy.
        let progress = "table \(CopyProgressTable.name)"
        if found[progress] == CopyProgressTable.creation { expected[progress] = CopyProgressTable.creation }
        let objects = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }.sorted()
        guard objects.isEmpty else { throw SchemaError(changed: objects, path: path) }
    }

    /// Returns the definitions of a new database after a migration; the migration is nil for a database without migrations.
    private static func definitions(after migration: String?) throws -> [String: String] {
        guard let migration else { return [:] }
        let database = try DatabaseQueue()
        try migrator.migrate(database, upTo: migration)
        return try database.read(definitions(of:))
    }

    /// Returns the normalized statements that create the objects of a database, by type and name.
    ///
    /// The result omits SQLite's tables of statistics, GRDB's table of migrations, and the indexes of primary keys.
    private static func definitions(of db: Database) throws -> [String: String] {
        let sql = """
            SELECT type || ' ' || name, sql FROM sqlite_master
            WHERE NOT (type = 'index' AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\' AND sql IS NULL)
                AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat2', 'sqlite_stat3', 'sqlite_stat4', 'sqlite_sequence',
                    'grdb_migrations'))
            """
        return try Row.fetchAll(db, sql: sql).reduce(into: [:]) { $0[$1[0] as String? ?? ""] = normalized($1[1] as String? ?? "") }
    }

    /// Returns a statement without comments from `--` to the end of the line, and with one space for any other white space.
    ///
    /// SQLite stores statements with their comments, and earlier versions created the same tables with other comments. Quoted text does not
    /// change. A statement longer than ``longestStatement`` does not change.
    package static func normalized(_ statement: String) -> String {
        let bytes = Array(statement.utf8)
        guard bytes.count <= longestStatement else { return statement }
        var result: [UInt8] = []
        var endOfQuote: UInt8?
        var (isComment, hasSpace) = (false, false)
        for (index, byte) in bytes.enumerated() {
            if isComment {
                // End a comment at a line feed only, because a carriage return does not end a comment in SQLite.
                isComment = byte != UInt8(ascii: "\n")
                continue
            }
            if endOfQuote != nil {
                if byte == endOfQuote { endOfQuote = nil }
                result.append(byte)
                continue
            }
            isComment = byte == UInt8(ascii: "-") && index + 1 < bytes.count && bytes[index + 1] == byte
            guard !isComment, !whiteSpace.contains(byte) else {
                hasSpace = true
                continue
            }
            if hasSpace, !result.isEmpty { result.append(UInt8(ascii: " ")) }
            hasSpace = false
            endOfQuote = quotes[byte]
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
