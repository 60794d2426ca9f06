/// The properties of a file's formatting that do not depend on its content.
struct StorekitStyle: Hashable, Sendable {
    /// Whether the last line ends with a line break.
    var endsWithNewline = false
    /// Whether `/` is written as `\/`.
    var escapesSlashes = false
}
