/// A store's file cannot be opened; the file does not change.
struct StoreFileError: Error, CustomStringConvertible {
    /// The path of the file.
    let path: String
    /// The reason for the error.
    let defect: StoreFileDefect

    /// A sentence with the path, the reason and the solution.
    var description: String {
        "\(path): \(defect.summary). Replace it with a file from `tillroll store export`, or move it away to start with a new store."
    }
}
