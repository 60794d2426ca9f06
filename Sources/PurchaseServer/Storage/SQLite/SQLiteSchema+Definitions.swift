import GRDB

extension SQLiteSchema {
    /// The number of tables, indexes, triggers and views that an error names.
    private static let namedObjects = 10

    /// The objects of a database with this version's tables, each with the statement that creates it.
    private static let definitions = Result {
        let database = try DatabaseQueue()
        try migrator.migrate(database)
        return try database.read(definitions(of:))
    }

    /// Refuses triggers, views and virtual tables, which this server does not have in any version.
    ///
    /// They are refused before a migration, because a migration could run a trigger.
    static func refuseForeignObjects(_ db: Database, of path: String) throws {
        let sql = """
            SELECT type || ' ' || name FROM sqlite_master
            WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY 1 LIMIT \(namedObjects)
            """
        let objects = try String.fetchAll(db, sql: sql)
        guard objects.isEmpty else { throw ConfigurationError.changedSchema(path: path, objects: objects.map(printed)) }
    }

    /// Refuses a database whose tables or indexes differ from those of this version.
    ///
    /// A file from outside can lack a unique index, on which the statements of the server rely, or have a constraint of its own.
    static func compareDefinitions(_ db: Database, of path: String) throws {
        var expected = try definitions.get()
        let found = try definitions(of: db)
        // The progress of an unfinished copy.
        let progress = "table \(CopyProgress.table)"
        if found[progress] == CopyProgress.creation { expected[progress] = CopyProgress.creation }
        let objects = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }.sorted()
        guard objects.isEmpty else {
            throw ConfigurationError.changedSchema(path: path, objects: objects.prefix(namedObjects).map(printed))
        }
    }

    /// Returns the statements that create the objects of a database, by type and name.
    ///
    /// SQLite's tables of statistics, and the indexes of primary keys, are not objects of their own.
    private static func definitions(of db: Database) throws -> [String: String] {
        let sql = """
            SELECT type || ' ' || name, sql FROM sqlite_master
            WHERE NOT (type = 'index' AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\' AND sql IS NULL)
                AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat2', 'sqlite_stat3', 'sqlite_stat4', 'sqlite_sequence'))
            """
        return try Row.fetchAll(db, sql: sql).reduce(into: [:]) { $0[$1[0] as String? ?? ""] = $1[1] as String? ?? "" }
    }

    /// Returns a name of a file from outside as it is printed: short, and without control characters.
    private static func printed(_ object: String) -> String {
        let scalars = object.unicodeScalars.prefix(80).map { scalar in (0x20..<0x7F).contains(scalar.value) ? scalar : "?" }
        return String(String.UnicodeScalarView(scalars))
    }
}
