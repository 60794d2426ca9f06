import ContentStorage
import Hummingbird
import NIOCore
import PurchaseModel

/// The bytes of a response, which are read from the content storage while they are sent.
struct ContentStream: Sendable {
    /// The time in seconds after which the right to a running download is checked again.
    private static let checkSeconds: Int64 = 5

    let chunks: ContentChunks
    /// The download that counts the bytes; nil for bytes that do not count.
    let download: MeteredDownload?
    let eventLoop: any EventLoop
    let clock: any WallClock
    /// Throws if the purchase was refunded or transferred, which ends the download.
    let check: @Sendable () async throws -> Void

    /// The response body.
    var body: ResponseBody {
        ResponseBody(contentLength: Int(clamping: chunks.length)) { writer in
            var checkDate = clock.now.adding(seconds: Self.checkSeconds)
            var current = try await next()
            while let chunk = current {
                // The next chunk is read while the connection writes this one.
                async let following = next()
                try await writer.write(chunk)
                // The connection has written the chunk, or is waiting for the client, when its event loop runs this task. Otherwise a fast
                // disk could read megabytes ahead of a slow client.
                try await eventLoop.submit {}.get()
                download?.sent(Int64(chunk.readableBytes))
                if clock.now >= checkDate {
                    try await check()
                    checkDate = clock.now.adding(seconds: Self.checkSeconds)
                }
                // If the object has become shorter, the connection ends early, so that the client detects the missing bytes.
                current = try await following
            }
            try await writer.finish(nil)
        }
    }

    private func next() async throws(ContentStorageError) -> ByteBuffer? {
        var iterator = chunks.makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }
}
