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
import Wire

@testable import PurchaseKit

/// A content server that delivers one file, with scripted errors.
final class StubContentServer: Sendable {
    /// The response to a content request.
    enum Answer: Sendable {
        /// The requested range.
        case complete
        /// The connection closes after a number of bytes.
        case disconnects(after: Int)
        /// The response ends after a number of bytes, with a matching length.
        case truncates(after: Int)
        /// Status 200 with the whole file, whatever the requested range.
        case ignoresRange
        /// Status 206 with another offset than the requested one.
        case wrongOffset
        /// One byte more than announced.
        case tooLong
        /// Wrong bytes with the correct length.
        case otherBytes
        /// The requested range, with a changed byte.
        case damages(at: Int)
        /// The requested range, when the task of the request is canceled.
        case waits
        /// Status 307 with an address.
        case redirects(to: String)
        /// A status, with a `WireError` if there is a code.
        case refuses(Int, code: String?)
    }

    private struct State {
        var answers: [Answer] = []
        var ranges: [String] = []
        var credentials: [String?] = []
        var conditions: [String?] = []
        var queries: [String] = []
        var tokens = 0
        var running = 0
        var mostRunning = 0
    }

    /// The bytes of the file.
    let content: Data
    private let manifest: Data?
    private let state = Mutex(State())
    private let tokenStatus: HTTPResponse.Status?
    private let tokenChange: @Sendable (inout DownloadToken) -> Void

    /// Creates a server that applies `change` to each download token, or refuses to issue one with a status.
    init(refusingTokenWith status: Int? = nil, token change: @escaping @Sendable (inout DownloadToken) -> Void = { _ in }) {
        content = Self.content(200_000)
        manifest = nil
        tokenStatus = status.map { HTTPResponse.Status(code: $0) }
        tokenChange = change
    }

    /// Creates a server of a file with a manifest.
    ///
    /// - Parameter change: Changes the JSON of the manifest, which then has another hash than the token states.
    init(length: Int, manifest change: (inout Data) -> Void = { _ in }) throws {
        let content = Self.content(length)
        self.content = content
        let chunk = Int(ContentManifest.chunkLength)
        var json = try ContentManifest(
            length: Int64(length), sha256: ContentDigest(of: content),
            chunks: stride(from: 0, to: length, by: chunk).map { ContentDigest(of: content[$0..<min($0 + chunk, length)]) },
            fileName: "f", mediaType: MediaType("text/plain"), version: "1"
        ).json()
        let digest = ContentDigest(of: json)
        change(&json)
        manifest = json
        tokenStatus = nil
        tokenChange = { token in
            let version = ContentVersionReply(
                version: "1", fileName: "f", mediaType: "text/plain", length: token.length, sha256: token.sha256,
                manifest: digest.hexadecimal, publishedAt: .testStart)
            token.items = [ContentItemReply(item: "main", versions: [version])]
        }
    }

    /// Returns bytes whose chunks differ from each other.
    private static func content(_ length: Int) -> Data {
        let part = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })
        var content = Data()
        while content.count < length { content += part.prefix(length - content.count) }
        return content
    }

    /// The number of issued tokens.
    var tokens: Int { state.withLock { $0.tokens } }

    /// The largest number of content requests at the same time.
    var mostRunning: Int { state.withLock { $0.mostRunning } }

    /// The requested ranges; an empty string for the whole file.
    var ranges: [String] { state.withLock { $0.ranges } }

    /// The header `Authorization` of each content request.
    var credentials: [String?] { state.withLock { $0.credentials } }

    /// The query of each content request.
    var queries: [String] { state.withLock { $0.queries } }

    /// The header `If-Range` of each content request.
    var conditions: [String?] { state.withLock { $0.conditions } }

    /// Sets the responses to the next requests. Later requests get ``Answer/complete``.
    func answer(_ answers: Answer...) {
        state.withLock { $0.answers += answers }
    }

    /// The file's SHA-256, in hexadecimal digits.
    var sha256: String { Hexadecimal.encode(SHA256.hash(data: content)) }

    /// Starts listening and returns the base URL.
    func listen() async throws -> HTTPURL {
        let router = Router()
        router.post("v1/content/:product/download-tokens") { [self] _, _ in try token() }
        router.get("v1/content/:product") { [self] request, _ in respond(to: request) }
        router.get("v1/content/:product/manifest") { [self] _, _ in
            guard let manifest else { return Response(status: .notFound) }
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: manifest)))
        }
        return try await StoreHarness.serve { running in
            Application(
                router: router,
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await running($0.localAddress?.port ?? 0) },
                logger: .silent
            )
        }
    }

    private func token() throws -> Response {
        state.withLock { $0.tokens += 1 }
        if let tokenStatus {
            let error = WireError(code: "content.refused", message: "No.")
            return Response(status: tokenStatus, body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(error))))
        }
        var token = DownloadToken(
            token: "a.b", file: "f", length: Int64(content.count), sha256: sha256, expires: .testStart
        )
        tokenChange(&token)
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(token))))
    }

    private func respond(to request: Request) -> Response {
        let range = request.headers[.range] ?? ""
        let answer = state.withLock { state in
            state.ranges.append(range)
            state.credentials.append(request.headers[.authorization])
            state.conditions.append(request.headers[.ifRange])
            state.queries.append(request.uri.query ?? "")
            return state.answers.isEmpty ? Answer.complete : state.answers.removeFirst()
        }
        // bytes=5- or bytes=5-9
        let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        let (offset, end) = (ends.first ?? 0, ends.count == 2 ? min(ends[1] + 1, content.count) : content.count)
        let rest = content[offset..<end]
        let status: HTTPResponse.Status = ends.isEmpty ? .ok : .partialContent
        var headers: HTTPFields = [.contentRange: "bytes \(offset)-\(end - 1)/\(content.count)"]
        switch answer {
        case .complete:
            return Response(status: status, headers: headers, body: counted(rest))
        case .damages(let place):
            var bytes = Data(rest)
            bytes[place] ^= 1
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .waits:
            let body = ResponseBody(contentLength: rest.count) { writer in
                try await writer.write(ByteBuffer(bytes: rest.prefix(1)))
                let (never, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in never {}
                continuation.finish()
            }
            return Response(status: status, headers: headers, body: body)
        case .disconnects(let count):
            return Response(status: status, headers: headers, body: breaking(rest.prefix(count), announced: rest.count))
        case .truncates(let count):
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: rest.prefix(count))))
        case .ignoresRange:
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: content)))
        case .wrongOffset:
            headers[.contentRange] = "bytes \(offset + 1)-\(content.count - 1)/\(content.count)"
            return Response(status: .partialContent, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: rest)))
        case .tooLong:
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: rest + [0])))
        case .otherBytes:
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: rest.map { $0 ^ 1 })))
        case .redirects(let address):
            return Response(status: .temporaryRedirect, headers: [.location: address])
        case .refuses(let code, let wire):
            let body = try? wire.map { try WireJSON.encode(WireError(code: $0, message: "No.")) }
            return Response(status: .init(code: code), body: .init(byteBuffer: ByteBuffer(bytes: body ?? Data("<html>".utf8))))
        }
    }

    /// A body whose running responses are counted.
    private func counted(_ bytes: Data) -> ResponseBody {
        ResponseBody(contentLength: bytes.count) { [self] writer in
            state.withLock { state in
                state.running += 1
                state.mostRunning = max(state.mostRunning, state.running)
            }
            defer { state.withLock { $0.running -= 1 } }
            try await writer.write(ByteBuffer(bytes: bytes))
            try await writer.finish(nil)
        }
    }

    private func breaking(_ bytes: Data, announced: Int) -> ResponseBody {
        ResponseBody(contentLength: announced) { writer in
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            throw CancellationError()
        }
    }
}

extension InstalledContent {
    /// Installed content without a file.
    static let sample = InstalledContent(path: "/nowhere", length: 3, sha256: "abc")
}
