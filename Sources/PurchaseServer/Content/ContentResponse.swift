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
    /// Responds to a request for a file with the whole file, the requested part, or 416.
    static func content(_ file: ContentFile, for request: Request, on eventLoop: any EventLoop) -> Response {
        .content(
            length: file.length, entityTag: file.entityTag, headers: [.cacheControl: "private, no-store"], for: request
        ) { range in .file(file, range, on: eventLoop) }
    }
}

extension ResponseBody {
    /// Streams a part of a file.
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
                // A file that was truncated ends the connection early, so that the client detects the missing bytes.
                guard let chunk = try await handle.chunk(of: count, on: eventLoop), !chunk.isEmpty else { throw ContentFileTruncated() }
                left -= chunk.count
                try await writer.write(ByteBuffer(data: chunk))
            }
            try await writer.finish(nil)
        }
    }
}

extension FileHandle {
    /// Reads a chunk on a thread pool, because reading from a disk blocks.
    ///
    /// The result returns on the connection's event loop, which has written the previous chunk by then. Otherwise a fast disk could
    /// read megabytes ahead before the event loop detects that the connection is full.
    fileprivate func chunk(of count: Int, on eventLoop: any EventLoop) async throws -> Data? {
        try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try self.read(upToCount: count) }.get()
    }
}

/// The file was truncated while it was sent.
private struct ContentFileTruncated: Error {}
