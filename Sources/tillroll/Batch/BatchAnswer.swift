/// The results of one chunk, encoded for output.
struct BatchAnswer: Sendable {
    /// Lines of JSON, in the order of the items.
    var lines: [UInt8] = []
    var tally = BatchTally()
    /// The position in the input at which the chunk ends.
    var position = 0
}
