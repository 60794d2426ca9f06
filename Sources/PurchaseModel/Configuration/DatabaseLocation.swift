/// Where a store or a server keeps its data.
public enum DatabaseLocation: Hashable, Sendable {
    /// In memory: the data ends with the process.
    case memory
    /// In a SQLite file at this path, which is created if it does not exist. SQLite keeps two more files next to it.
    case file(String)
}
