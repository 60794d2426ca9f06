/// Consecutive items of a batch.
///
/// A chunk is large enough that passing it between tasks costs nothing, and small enough that several fit in memory.
struct BatchChunk: Sendable {
    /// The number of bytes that a chunk collects before it is verified.
    static let targetSize = 256 << 10
    /// The maximum number of items in a chunk, which lets the results of short lines appear soon.
    static let maximumCount = 256

    var items: [BatchItem] = []
    /// The amount of input up to the chunk's end: bytes of a file, or files of a folder.
    var position = 0
}
