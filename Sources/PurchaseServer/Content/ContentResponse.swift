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
    /// Answers a request for a file with all of it, with the requested part, or with 416.
    static func content(_ file: ContentFile, for request: Request, on eventLoop: any EventLoop) -> Response {
        .content(
            length: file.length, entityTag: file.entityTag, headers: [.cacheControl: "private, no-store"], for: request
        ) { range in .file(file, range, on: eventLoop) }
    }
}

extension ResponseBody {
    /// Streams part of a file.
    ///
    /// A chunk is read when the connection has taken the one before, so a slow reader costs a few chunks of memory, not the file.
    fileprivate static func file(_ file: ContentFile, _ range: Range<Int64>, on eventLoop: any EventLoop) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(range.lowerBound))
            var left = range.count
            while left > 0 {
                let count = min(left, ContentFolder.chunkSize)
                // A file that has become shorter ends the connection early; the reader sees that bytes are missing.
                guard let chunk = try await handle.chunk(of: count, on: eventLoop), !chunk.isEmpty else { throw ContentFileTruncated() }
                left -= chunk.count
                try await writer.write(ByteBuffer(data: chunk))
            }
            try await writer.finish(nil)
        }
    }
}

extension FileHandle {
    /// Reads off the threads that serve requests, because a disk may take its time.
    ///
    /// The answer comes by way of the connection's event loop, which has written the chunk before by then. Otherwise a fast
    /// disk runs ahead of the loop by megabytes before the loop finds out that the connection is full.
    fileprivate func chunk(of count: Int, on eventLoop: any EventLoop) async throws -> Data? {
        try await NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try self.read(upToCount: count) }.get()
    }
}

/// The file became shorter while it was sent.
private struct ContentFileTruncated: Error {}
