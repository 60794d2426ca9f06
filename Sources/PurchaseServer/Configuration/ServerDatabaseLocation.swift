/// Where a server keeps what it knows.
public enum ServerDatabaseLocation: Hashable, Sendable {
    /// In memory: gone when the process ends; for tests.
    case memory
    /// In an SQLite file, which is made when it is not there.
    case file(String)
}
