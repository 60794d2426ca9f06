/// The reason why this version of the server can't use the tables of a database.
public enum SchemaError: Error, Hashable, Sendable {
    /// Another program created the database file.
    case foreignDatabase(path: String)
    /// A newer version of this program created the database file.
    case newerDatabase(path: String)
    /// The PostgreSQL database has tables of another program.
    case foreignTables
    /// A newer version of this program created the tables of the PostgreSQL database.
    case newerTables
    /// The schema of the database differs from the schema of this program; `objects` names the first tables, indexes, triggers and views
    /// that differ.
    ///
    /// `path` is the path of the SQLite file, or nil for a PostgreSQL database.
    case changed(path: String?, objects: [String])

    /// The maximum number of tables, indexes, triggers and views that an error names.
    static let namedObjects = 10

    /// Creates ``changed(path:objects:)`` with the first objects' names, shortened and in printable ASCII, because a database of another
    /// program can contain any names.
    init(changed objects: [String], path: String?) {
        let names = objects.prefix(Self.namedObjects).map { object in
            let scalars = object.unicodeScalars.prefix(80).map { scalar in (0x20..<0x7F).contains(scalar.value) ? scalar : "?" }
            return String(String.UnicodeScalarView(scalars))
        }
        self = .changed(path: path, objects: names)
    }

    /// The reason and the next step, as the continuation of a sentence that names the configuration key.
    package var advice: String {
        switch self {
        case .foreignDatabase(let path):
            "\(path) is a file of another program. Set the path of this server's database, or of a new file."
        case .newerDatabase(let path):
            "\(path) was created by a newer version of tillroll-server. Run the newer version, or set the path of another database."
        case .foreignTables:
            "the PostgreSQL database has tables of another program. Set the connection URI of a new database."
        case .newerTables:
            "a newer version of tillroll-server created the tables. Run the newer version, or set the connection URI of another database."
        case .changed(let path, let objects):
            "\(path ?? "the PostgreSQL database") has tables, indexes, triggers or views that are not those of tillroll-server: "
                + "\(objects.joined(separator: ", ")). Use a backup from before the change, or undo the change."
        }
    }
}
