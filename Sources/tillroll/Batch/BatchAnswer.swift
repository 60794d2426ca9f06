/// The results of a chunk, as they are written.
struct BatchAnswer: Sendable {
    /// Lines of JSON, in the order of the items.
    var lines: [UInt8] = []
    var tally = BatchTally()
    /// The chunk's position.
    var position = 0
}
