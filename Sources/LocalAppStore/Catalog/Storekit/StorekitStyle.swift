/// What a file leaves open to whoever writes it, besides its content.
struct StorekitStyle: Hashable, Sendable {
    /// Whether the last line ends.
    var endsLine = false
    /// Whether `/` is written `\/`.
    var escapesSlashes = false
}
