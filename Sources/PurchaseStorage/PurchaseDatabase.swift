import Foundation

/// The database of a purchase server.
public enum PurchaseDatabase: Hashable, Sendable {
    /// A database in memory, which is lost when the process ends.
    case memory
    /// A SQLite file at this path; the server creates a missing file.
    case file(String)
    /// A PostgreSQL database, which several servers can share.
    case postgres(PostgresDatabase)

    /// Whether the database has replicas that answer reads.
    package var hasReplicas: Bool {
        if case .postgres(let database) = self { database.replicaURL != nil } else { false }
    }
}

/// The connection URIs of a PostgreSQL database, and the maximum number of a server's connections.
public struct PostgresDatabase: Hashable, Sendable {
    /// The connection URI of the primary, such as `postgresql://tillroll@db.example.com/tillroll`.
    ///
    /// A URI with several hosts and `target_session_attrs=read-write` finds the primary after a failover. PostgreSQL documents the format
    /// at <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>.
    public var url: String
    /// The maximum number of connections that one server opens to the primary; the same maximum applies to the replicas.
    public var connections: Int
    /// The connection URI of the replicas that answer reads; nil if the database has no replicas.
    ///
    /// A replica answers a request only if the request states a position in the log that the replica has reached; see `docs/server-api.md`.
    public var replicaURL: String?

    /// Creates the location of a database.
    public init(url: String, connections: Int = 16, replicaURL: String? = nil) {
        self.url = url
        self.connections = connections
        self.replicaURL = replicaURL
    }

    /// Whether a text is a connection URI, and not the path of a file.
    package static func isURL(_ text: String) -> Bool {
        ["postgres://", "postgresql://"].contains { text.lowercased().hasPrefix($0) }
    }

    /// Whether a connection URI contains a password.
    package static func hasPassword(_ text: String) -> Bool {
        guard let end = text.range(of: "://")?.upperBound else { return false }
        let rest = text[end...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let account = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
        return account.contains(":") || rest.contains("password=")
    }
}

// The descriptions omit the URI, because the URI can contain a password.
extension PostgresDatabase: CustomStringConvertible, CustomReflectable {
    /// The kind of the database, without the URI.
    public var description: String { "a PostgreSQL database" }
    /// The number of connections, without the URIs.
    public var customMirror: Mirror { Mirror(self, children: ["connections": connections]) }
}
