/// Where a store keeps what happened.
public enum StoreDatabaseLocation: Hashable, Sendable {
    /// Nowhere: it is forgotten with the store.
    case memory
    /// In a SQLite file at this path, which is made when it is not there; SQLite puts two files beside it.
    case file(String)
}
