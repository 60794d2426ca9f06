/// A store's file cannot be opened; the file does not change.
struct StoreFileError: Error, CustomStringConvertible {
    /// The path of the file.
    let path: String
    /// The reason for the error.
    let refusal: StoreFileRefusal

    /// A sentence with the path, the reason and the solution.
    var description: String {
        "\(path): \(refusal.finding). Put a file in its place that `tillroll store export` wrote, or move it away and begin a new store."
    }
}
