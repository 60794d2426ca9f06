/// Some items that lie beside each other; large enough that handing it over costs nothing, small enough to hold several.
struct BatchChunk: Sendable {
    /// How many bytes a chunk gathers before it is handed over.
    static let targetSize = 256 << 10
    /// How many items a chunk has at most, so that results of short lines show soon.
    static let maximumCount = 256

    var items: [BatchItem] = []
    /// How much of the input lies before its end: bytes of a file, or files of a folder.
    var position = 0
}
