import NIOCore
import Synchronization

/// Reads the chunks of a range of a file on NIO's thread pool.
final class FileChunkReader: Sendable {
    private let file: OpenFile
    private let end: Int64
    private let position: Mutex<Int64>

    /// Creates a reader; `range` lies within the file.
    init(_ file: OpenFile, _ range: Range<Int64>) {
        self.file = file
        end = range.upperBound
        position = Mutex(range.lowerBound)
    }

    /// Reads the next chunk; nil at the end of the range or of the file.
    func next() async throws(ContentStorageError) -> ByteBuffer? {
        let offset = position.withLock { $0 }
        guard offset < end else { return nil }
        let count = Int(min(end - offset, Int64(OpenFile.chunkLength)))
        let chunk = try await BlockingWork.run { [file] () throws(ContentStorageError) in
            try file.readBlocking(at: offset, count: count)
        }
        guard chunk.readableBytes > 0 else { return nil }
        position.withLock { $0 = offset + Int64(chunk.readableBytes) }
        return chunk
    }
}
