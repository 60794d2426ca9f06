/// The table with the progress of a copy, which exists only in the destination of an unfinished copy.
enum CopyProgressTable {
    /// The name.
    static let name = "copy_progress"
    /// The statement that creates the table.
    static let creation = "CREATE TABLE \(name) (id BIGINT PRIMARY KEY, progress TEXT NOT NULL)"
}
