import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Synchronization

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
    }

    /// The bytes of the file.
    let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })
    private let state = Mutex(State())
    private let tokenStatus: HTTPResponse.Status?
    private let tokenChange: @Sendable (inout DownloadToken) -> Void

    /// Creates a server that applies `change` to each download token, or refuses to issue one with a status.
    init(refusingTokenWith status: Int? = nil, token change: @escaping @Sendable (inout DownloadToken) -> Void = { _ in }) {
        tokenStatus = status.map { HTTPResponse.Status(code: $0) }
        tokenChange = change
    }

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
    var sha256: String { SHA256.hash(data: content).map { String($0, radix: 16).paddedToTwo }.joined() }

    /// Starts listening and returns the base URL.
    func listen() async throws -> HTTPURL {
        let router = Router()
        router.post("v1/content/:product/download-tokens") { [self] _, _ in try token() }
        router.get("v1/content/:product") { [self] request, _ in respond(to: request) }
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
        let offset = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        let rest = content.dropFirst(offset)
        let status: HTTPResponse.Status = offset == 0 ? .ok : .partialContent
        var headers: HTTPFields = [.contentRange: "bytes \(offset)-\(content.count - 1)/\(content.count)"]
        switch answer {
        case .complete:
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: rest)))
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

    private func breaking(_ bytes: Data, announced: Int) -> ResponseBody {
        ResponseBody(contentLength: announced) { writer in
            if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            throw CancellationError()
        }
    }
}

extension String {
    fileprivate var paddedToTwo: String { count == 1 ? "0" + self : self }
}

extension InstalledContent {
    /// Installed content without a file.
    static let sample = InstalledContent(path: "/nowhere", length: 3, sha256: "abc")
}
