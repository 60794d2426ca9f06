/// A source of a batch's items, in an order that is the same for each run.
protocol BatchSource {
    /// Whether the next chunk is available without waiting, as far as the source can determine.
    var isReady: Bool { get }
    /// The position at which the input ends; nil while the end is unknown, as with a pipe.
    var end: Int? { get }

    /// Skips everything up to and including an item that was verified before.
    ///
    /// - Throws: A usage error if the source has no such item: the results belong to another input.
    mutating func skip(through origin: BatchItem.Origin) throws

    /// The next chunk of items; nil at the end of the input.
    mutating func next() throws -> BatchChunk?
}
