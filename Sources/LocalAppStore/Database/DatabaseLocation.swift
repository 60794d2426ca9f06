/// The location of the database of a local store.
public enum DatabaseLocation: Hashable, Sendable {
    /// A database in memory, which is lost when the process ends.
    case memory
    /// A SQLite file at this path, which is created if needed.
    case file(String)
}
