/// A store's file that can't be opened as one; the file stays as it is.
struct StoreFileError: Error, CustomStringConvertible {
    /// The file.
    let path: String
    /// Why.
    let refusal: StoreFileRefusal

    /// The file, what is wrong with it, and what to do.
    var description: String {
        "\(path): \(refusal.finding). Put a file in its place that `tillroll store export` wrote, or move it away and begin a new store."
    }
}
