/// The storage location of a store's or a server's data.
public enum DatabaseLocation: Hashable, Sendable {
    /// In memory, for the lifetime of the process.
    case memory
    /// In a SQLite file at this path, which SQLite creates if needed, together with two more files next to it.
    case file(String)
}
