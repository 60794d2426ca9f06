public import NIOCore
import Synchronization

/// The bytes of an object, as an asynchronous sequence of chunks that are read on demand.
///
/// The sequence can be iterated once. It ends after exactly ``length`` bytes, or throws.
public struct ContentChunks: AsyncSequence, Sendable {
    /// A chunk, which is not empty.
    public typealias Element = ByteBuffer
    /// The error of the storage.
    public typealias Failure = ContentStorageError
    /// Reads the next chunk; nil at the end.
    public typealias Read = @Sendable () async throws(ContentStorageError) -> ByteBuffer?

    /// The number of bytes in all chunks.
    public let length: Int64
    private let read: Read
    private let position: Position

    /// Creates a sequence; for implementations of a storage.
    ///
    /// - Parameters:
    ///   - length: The number of bytes that `read` returns in total.
    ///   - read: Reads the next chunk. It is not called concurrently by one iterator.
    public init(length: Int64, _ read: @escaping Read) {
        self.length = Swift.max(length, 0)
        self.read = read
        position = Position()
    }

    /// The number of bytes that were read, in all iterators.
    private final class Position: Sendable {
        private let count = Mutex<Int64>(0)

        /// Adds the length of a chunk, and returns the new number of bytes.
        func advance(by length: Int) -> Int64 {
            count.withLock { count in
                let (sum, overflow) = count.addingReportingOverflow(Int64(length))
                count = overflow ? .max : sum
                return count
            }
        }
    }

    /// Reads all chunks into memory.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``ContentStorageError/tooLarge(length:limit:)`` if ``length`` exceeds the limit, before any chunk is read.
    public func collect(upTo limit: Int) async throws(ContentStorageError) -> ByteBuffer {
        guard length <= limit else { throw .tooLarge(length: length, limit: Int64(limit)) }
        var result = ByteBuffer()
        var iterator = makeAsyncIterator()
        while var chunk = try await iterator.next(isolation: #isolation) { result.writeBuffer(&chunk) }
        return result
    }

    /// Returns an iterator that continues after the chunks that were read before.
    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: self)
    }

    /// An iterator over the chunks of an object.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let chunks: ContentChunks

        /// Reads the next chunk; returns nil after the last one.
        ///
        /// - Throws: ``ContentStorageError/truncated`` if the object ends too early or continues after its length, or else the error of the
        ///   storage.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ContentStorageError) -> ByteBuffer? {
            if Task.isCancelled { throw .canceled }
            while let chunk = try await chunks.read() {
                if chunk.readableBytes == 0 { continue }
                guard chunks.position.advance(by: chunk.readableBytes) <= chunks.length else { throw .truncated }
                return chunk
            }
            guard chunks.position.advance(by: 0) == chunks.length else { throw .truncated }
            return nil
        }
    }
}
