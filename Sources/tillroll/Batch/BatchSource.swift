/// Where the items of a batch come from, in an order that is the same each time.
protocol BatchSource {
    /// Whether the next chunk is there without waiting, as far as one can know.
    var isReady: Bool { get }
    /// The position at which the input ends; nil when nobody knows yet, as with a pipe.
    var end: Int? { get }

    /// Skips everything up to and including an item that was verified before.
    ///
    /// - Throws: A usage error when there is no such item: the results are of another input.
    mutating func skip(through origin: BatchItem.Origin) throws

    /// The next items; nil at the end.
    mutating func next() throws -> BatchChunk?
}
