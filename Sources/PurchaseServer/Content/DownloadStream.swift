import ContentStorage
import Hummingbird
import NIOCore
import PurchaseModel

/// A response body that the server reads from the content storage while the connection writes earlier bytes.
struct DownloadStream: Sendable {
    /// The interval in seconds at which the server checks the purchase during a download.
    private static let checkSeconds: Int64 = 5

    let chunks: ContentChunks
    /// The download to whose metered total the sent bytes are added; nil if the bytes are not metered.
    let download: MeteredDownload?
    let eventLoop: any EventLoop
    let clock: any WallClock
    /// Throws an error if the purchase was refunded or transferred; the error ends the download.
    let check: @Sendable () async throws -> Void

    var body: ResponseBody {
        ResponseBody(contentLength: Int(clamping: chunks.length)) { writer in
            var checkDate = clock.now.adding(seconds: Self.checkSeconds)
            var current = try await next()
            while let chunk = current {
                // Read the next chunk while the connection writes the current chunk.
                async let following = next()
                try await writer.write(chunk)
                // Wait for an empty task on the event loop: when the task runs, the connection has written the chunk, or is waiting for the
                // client. Without the empty task, a fast disk could read megabytes ahead of a slow client.
                try await eventLoop.submit {}.get()
                download?.sent(Int64(chunk.readableBytes))
                if clock.now >= checkDate {
                    try await check()
                    checkDate = clock.now.adding(seconds: Self.checkSeconds)
                }
                // End the connection early if the object has become shorter, so that the client detects the missing bytes.
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
