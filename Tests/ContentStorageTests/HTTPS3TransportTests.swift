import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import ContentStorage

/// The transport with real connections.
@Suite struct HTTPS3TransportTests {
    private static func request(_ url: HTTPURL, _ method: String = "GET", timeout: Duration = .seconds(30)) -> S3TransportRequest {
        S3TransportRequest(method: method, url: url.text, headers: ["x-test": "1"], body: nil, timeout: timeout)
    }

    /// Runs `body` with a server that answers each request.
    private static func serve(
        _ answer: @escaping @Sendable (Request) async throws -> Response, _ body: @Sendable (HTTPURL) async throws -> Void
    ) async throws {
        let application = Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in try await answer(request) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
        try await application.test(.live) { client in try await body(HTTPURL(loopbackPort: client.port ?? 0)) }
    }

    @Test func `a refused connection has sent nothing`() async throws {
        // Nothing listens on the discard port.
        await #expect(throws: S3TransportError.notConnected) { try await HTTPS3Transport().send(Self.request("http://127.0.0.1:9/")) }
    }

    @Test func `a redirect is not followed`() async throws {
        try await Self.serve { _ in
            Response(status: .temporaryRedirect, headers: [.location: "/"])
        } _: { url in
            let response = try await HTTPS3Transport().send(Self.request(url))
            #expect(response.status == 307 && response.headers["location"] == "/")
        }
    }

    @Test func `a range of a file is sent with its length`() async throws {
        try await Self.serve { request in
            var digest = Data()
            for try await chunk in request.body { digest += Data(buffer: chunk) }
            return Response(
                status: .ok, headers: [.eTag: request.headers[.contentLength] ?? "absent"],
                body: ResponseBody(byteBuffer: ByteBuffer(data: digest)))
        } _: { url in
            try await TemporaryFolder.with { folder in
                let (path, bytes) = try Sample.file(folder, 1_500_000)
                var request = Self.request(url, "PUT")
                request.body = .file(try await OpenFile.opening(path), 100_000..<1_400_000)
                let response = try await HTTPS3Transport().send(request)
                #expect(response.headers["etag"] == "1300000")
                var received = Data()
                while let chunk = try await response.read() { received += Data(buffer: chunk) }
                #expect(received == bytes[100_000..<1_400_000])
            }
        }
    }

    @Test func `the time limit ends a request without a response`() async throws {
        let (release, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.serve { _ in
            for await _ in release {}
            return Response(status: .ok)
        } _: { url in
            defer { end.finish() }
            await #expect(throws: S3TransportError.noResponse) {
                try await HTTPS3Transport().send(Self.request(url, timeout: .milliseconds(100)))
            }
        }
    }

    @Test func `a canceled request ends`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (release, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.serve { _ in
            arrival.yield()
            for await _ in release {}
            return Response(status: .ok)
        } _: { url in
            defer { end.finish() }
            let task = Task { try await HTTPS3Transport().send(Self.request(url)) }
            for await _ in arrivals { break }
            task.cancel()
            await #expect(throws: S3TransportError.canceled) { _ = try await task.value }
        }
    }

    @Test func `a body that ends too early is an error`() async throws {
        try await Self.serve { _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: 100) { writer in
                    try await writer.write(ByteBuffer(string: "short"))
                    throw CancellationError()
                })
        } _: { url in
            let response = try await HTTPS3Transport().send(Self.request(url))
            await #expect(throws: S3TransportError.noResponse) { while try await response.read() != nil {} }
        }
    }

    @Test func `a slow reader slows down the server`() async throws {
        let (total, chunk) = (192 << 20, 64 << 10)
        let written = Mutex(0)
        try await Self.serve { _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: total) { writer in
                    for _ in 0..<total / chunk {
                        try await writer.write(ByteBuffer(repeating: 0x20, count: chunk))
                        written.withLock { $0 += chunk }
                    }
                    try await writer.finish(nil)
                })
        } _: { url in
            let response = try await HTTPS3Transport().send(Self.request(url))
            var (read, lead) = (0, 0)
            while let bytes = try await response.read() {
                read += bytes.readableBytes
                // The reader continues only after the server is ahead, so that a missing limit would show.
                let next = min(read + (1 << 20), total)
                try await eventually { written.withLock { $0 } >= next }
                lead = max(lead, written.withLock { $0 } - read)
            }
            // The operating system's buffers of a local connection can have dozens of mebibytes.
            #expect(read == total && lead < 96 << 20, "\(lead)")
        }
    }
}
