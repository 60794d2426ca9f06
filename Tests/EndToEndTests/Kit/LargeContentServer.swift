import ContentStorage
import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Synchronization

/// A server of one file, whose bytes are computed, and that closes connections in the middle of responses.
final class LargeContentServer: Sendable {
    private struct State {
        var requests = 0
        var sent: Int64 = 0
        /// The number of connections that are still to be closed.
        var cuts: Int
        var nextCut: Int64
    }

    private static let pieceLength: Int64 = 1 << 16

    let length: Int64
    let sha256: String
    private let manifest: Data
    private let base: ByteBuffer
    private let cutDistance: Int64
    private let state: Mutex<State>

    /// Creates a server of a file with a length, which closes connections a number of times, at equal distances.
    init(length: Int64, cuts: Int) throws {
        self.length = length
        var random = SeededRandom(seed: 18)
        let words = (0..<Int(ContentManifest.chunkLength) / 8).map { _ in random.next() }
        let base = words.reduce(into: ByteBuffer()) { $0.writeInteger($1) }
        self.base = base
        var (hash, chunks, offset) = (SHA256(), [ContentDigest](), Int64(0))
        while offset < length {
            let bytes = Self.bytes(offset..<min(offset + ContentManifest.chunkLength, length), base)
            hash.update(data: bytes.readableBytesView)
            chunks.append(ContentDigest(of: bytes.readableBytesView))
            offset += ContentManifest.chunkLength
        }
        let digest = Hexadecimal.encode(hash.finalize())
        sha256 = digest
        guard let content = ContentDigest(hexadecimal: digest) else { throw CancellationError() }
        manifest = try ContentManifest(
            length: length, sha256: content, chunks: chunks, fileName: "book", mediaType: MediaType("application/pdf"), version: "1"
        ).json()
        cutDistance = length / Int64(cuts + 1)
        state = Mutex(State(cuts: cuts, nextCut: cutDistance))
    }

    /// The bytes of a range within a chunk: those of the base, with the number of the chunk at its beginning.
    private static func bytes(_ range: Range<Int64>, _ base: ByteBuffer) -> ByteBuffer {
        let chunk = range.lowerBound / ContentManifest.chunkLength
        let start = Int(range.lowerBound % ContentManifest.chunkLength)
        var buffer = base.getSlice(at: start, length: Int(range.upperBound - range.lowerBound)) ?? ByteBuffer()
        let number = withUnsafeBytes(of: chunk.bigEndian) { Array($0) }
        for index in start..<max(start, 8) where index - start < buffer.readableBytes {
            buffer.setInteger(number[index], at: buffer.readerIndex + index - start)
        }
        return buffer
    }

    /// The number of requests for the file.
    var requests: Int { state.withLock { $0.requests } }

    /// The number of connections that are still to be closed.
    var remainingCuts: Int { state.withLock { $0.cuts } }

    /// Starts listening and returns the base address.
    func listen() async throws -> HTTPURL {
        let router = Router()
        router.post("v1/content/:product/download-tokens") { [self] _, _ in try token() }
        router.get("v1/content/:product/manifest") { [self] _, _ in
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: manifest)))
        }
        router.get("v1/content/:product") { [self] request, _ in respond(to: request) }
        return try await StoreHarness.serve { running in
            Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await running($0.localAddress?.port ?? 0) }, logger: .silent)
        }
    }

    private func token() throws -> Response {
        let version = ContentVersionReply(
            version: "1", fileName: "book", mediaType: "application/pdf", length: length, sha256: sha256,
            manifest: ContentDigest(of: manifest).hexadecimal, publishedAt: .testStart)
        let token = DownloadToken(
            token: "a.b", file: "book", length: length, sha256: sha256, items: [ContentItemReply(item: "main", versions: [version])],
            expires: .testStart)
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(token))))
    }

    private func respond(to request: Request) -> Response {
        let ends = (request.headers[.range] ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap { Int64($0) }
        guard ends.count == 2, ends[0] <= ends[1], ends[1] < length else { return Response(status: .badRequest) }
        let range = ends[0]..<ends[1] + 1
        state.withLock { $0.requests += 1 }
        let body = ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { [self] writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let boundary = (offset / ContentManifest.chunkLength + 1) * ContentManifest.chunkLength
                let end = min(offset + Self.pieceLength, boundary, range.upperBound)
                try await writer.write(Self.bytes(offset..<end, base))
                let isCut = count(end - offset)
                offset = end
                if isCut { throw CancellationError() }
            }
            try await writer.finish(nil)
        }
        return Response(status: .partialContent, headers: [.contentRange: "bytes \(ends[0])-\(ends[1])/\(length)"], body: body)
    }

    /// Counts the bytes of a response; returns whether its connection is to be closed.
    private func count(_ bytes: Int64) -> Bool {
        state.withLock { state in
            state.sent += bytes
            guard state.cuts > 0, state.sent >= state.nextCut else { return false }
            state.cuts -= 1
            state.nextCut += cutDistance
            return true
        }
    }
}
