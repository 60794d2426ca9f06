/// The table with the progress of a copy, which exists only in the destination of an unfinished copy.
package enum CopyProgressTable {
    /// The name.
    package static let name = "copy_progress"
    /// The statement that creates the table.
    package static let creation = "CREATE TABLE \(name) (id BIGINT PRIMARY KEY, progress TEXT NOT NULL)"
}
