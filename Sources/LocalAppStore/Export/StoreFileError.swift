/// The error of a store's database file that cannot be opened; the file stays unchanged.
struct StoreFileError: Error, CustomStringConvertible {
    /// The path of the database file.
    let path: String
    /// The reason for which the file cannot be opened.
    let defect: StoreFileDefect

    /// A message with the path, the reason and the solution.
    var description: String {
        "\(path): \(defect.summary). Replace it with a file from `tillroll store export`, or move it away to start with a new store."
    }
}
