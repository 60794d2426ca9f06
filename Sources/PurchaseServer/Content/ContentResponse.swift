import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import NIOPosix
import PurchaseModel
import PurchaseProtocol
import WireServer

extension Response {
    /// Returns the response to a request for a file: the whole file, the requested byte range, or status 416.
    static func content(_ file: ContentFile, for request: Request, on eventLoop: any EventLoop) -> Response {
        .content(
            length: file.length, entityTag: file.entityTag, headers: [.cacheControl: "private, no-store"], for: request
        ) { range in .file(file, range, on: eventLoop) }
    }
}

extension ResponseBody {
    /// Returns a response body that streams a range of a file's bytes.
    ///
    /// A chunk is read after the connection has written the previous chunk, so a slow client costs only a few chunks of memory.
    fileprivate static func file(_ file: ContentFile, _ range: Range<Int64>, on eventLoop: any EventLoop) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(range.lowerBound))
            var left = range.count
            while left > 0 {
                let count = min(left, ContentFolder.chunkSize)
                // If the file was truncated, the connection ends early, so that the client detects the missing bytes.
                guard let chunk = try await handle.chunk(of: count, on: eventLoop), !chunk.isEmpty else { throw ContentFileTruncated() }
                left -= chunk.count
                try await writer.write(ByteBuffer(data: chunk))
            }
            try await writer.finish(nil)
        }
    }
}

extension FileHandle {
    /// Reads the next bytes of the file on a thread pool, because reading from a disk blocks.
    ///
    /// The call continues on the connection's event loop after it has written the previous chunk. Otherwise a fast disk could read
    /// megabytes ahead of a slow connection.
    fileprivate func chunk(of count: Int, on eventLoop: any EventLoop) async throws -> Data? {
        try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try self.read(upToCount: count) }.get()
    }
}

/// The error that a file was truncated while it was sent.
private struct ContentFileTruncated: Error {}
