import ContentStorage
import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// Downloads over `URLSession`, with the promises of ``ContentDownloaderTests`` and ``ChunkedDownloadTests``.
@Suite struct SessionDownloadTests {
    private static let chunk = Int(ContentManifest.chunkLength)
    /// Twenty chunks, and a shorter one.
    private static let length = 20 * chunk + 5

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func downloader(_ url: HTTPURL, connections: Int = 4) -> ContentDownloader {
        var downloader = ContentDownloader(
            serverURL: url, credentials: ServerCredentials(publishableKey: "pk_a", customerToken: "ct_a", verificationKeys: nil),
            folder: folder.url.path(percentEncoded: false), connections: connections, freeSpace: FreeSpace { _ in .max })
        downloader.transport = SessionTransport()
        return downloader
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)).sorted() }
    }

    private func expectComplete(_ installed: InstalledContent, _ server: StubContentServer) throws {
        #expect(try Data(contentsOf: URL(filePath: installed.path)) == server.content)
        #expect(installed.sha256 == server.sha256 && installed.length == Int64(server.content.count))
        #expect(try files == [server.sha256])
    }

    @Test func `an interrupted download resumes at the last received byte as long as it makes progress`() async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 1), .disconnects(after: 100), .disconnects(after: 100_000), .disconnects(after: 10))
        let broken = Mutex<[Int64]>([])
        let installed = try await downloader(try await server.listen()).fetch("book") { event in
            if case .broken(let received) = event { broken.withLock { $0.append(received) } }
        }
        try expectComplete(installed, server)
        #expect(server.ranges == [""] + broken.withLock { $0.map { "bytes=\($0)-" } })
        #expect(server.ranges.count == 5)
        #expect(server.conditions == [nil] + Array(repeating: "\"\(server.sha256)\"", count: 4))
    }

    @Test(arguments: [StubContentServer.Answer.otherBytes, .tooLong, .wrongOffset, .refuses(416, code: nil)])
    func `damage in a resumed download also deletes the earlier bytes`(_ answer: StubContentServer.Answer) async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 1_000), answer)
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(try files.isEmpty)
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges.last == "")
    }

    @Test(arguments: [401, 403])
    func `a refusal has the server's code, and the received bytes are kept`(_ status: Int) async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 5), .refuses(status, code: "content.refunded"))
        let url = try await server.listen()
        await #expect(throws: ContentError.refused(code: "content.refunded", message: "No.")) {
            try await downloader(url).fetch("book")
        }
        #expect(try files == ["\(server.sha256).partial"])
    }

    @Test(arguments: [0, 150_000])
    func `a redirection to a bucket is followed without the token, and resumed`(_ offset: Int) async throws {
        let (server, bucket) = (StubContentServer(), StubContentServer())
        if offset > 0 { try server.content.prefix(offset).write(to: folder.file("\(server.sha256).partial")) }
        server.answer(.redirects(to: "\(try await bucket.listen())/v1/content/object?X-Amz-Signature=a"))
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
        #expect(server.credentials == ["Bearer a.b"])
        #expect(bucket.credentials == [nil] && bucket.conditions == [nil])
        #expect(bucket.ranges == [offset > 0 ? "bytes=\(offset)-" : ""])
    }

    @Test func `each byte is requested once, over the permitted number of connections`() async throws {
        let server = try StubContentServer(length: Self.length)
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
        #expect(server.ranges.sorted() == ["bytes=0-\(16 * Self.chunk - 1)", "bytes=\(16 * Self.chunk)-\(Self.length - 1)"])
        #expect(server.conditions.allSatisfy { $0 == "\"\(server.sha256)\"" })
    }

    @Test func `a lost connection costs no byte`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.disconnects(after: 1), .disconnects(after: Self.chunk - 1), .disconnects(after: 2 * Self.chunk))
        let received = Mutex<[Int64]>([])
        let installed = try await downloader(try await server.listen(), connections: 3).fetch("book") { event in
            if case .received(let bytes) = event { received.withLock { $0.append(bytes) } }
        }
        try expectComplete(installed, server)
        // The last report would exceed the length if a byte had been received twice.
        #expect(received.withLock { $0.max() } == Int64(Self.length))
    }

    @Test func `a canceled download ends, and the next one requests the missing chunks only`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.complete, .waits)
        let url = try await server.listen()
        let (events, continuation) = AsyncStream.makeStream(of: DownloadEvent.self)
        let download = Task { try await downloader(url, connections: 1).fetch("book") { continuation.yield($0) } }
        for await case .received(let bytes) in events where bytes >= Int64(16 * Self.chunk) { break }
        try await eventually { server.ranges.count == 2 }
        download.cancel()
        await #expect(throws: ContentError.self) { try await download.value }
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges.last == "bytes=\(16 * Self.chunk)-\(Self.length - 1)")
    }
}
