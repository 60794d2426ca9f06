/// The formatting of a `.storekit` file that is kept when the file is written again.
struct StorekitStyle: Hashable, Sendable {
    /// Whether the last line ends with a line break.
    var endsWithNewline = false
    /// Whether `/` is written as `\/`.
    var escapesSlashes = false
}
