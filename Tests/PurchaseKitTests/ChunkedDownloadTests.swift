import ContentStorage
import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// Downloads of content in chunks, over several connections.
@Suite struct ChunkedDownloadTests {
    private static let chunk = Int(ContentManifest.chunkLength)
    /// Twenty chunks, and a shorter one.
    private static let length = 20 * chunk + 5

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func downloader(_ url: HTTPURL, connections: Int = 4, freeSpace: FreeSpace = .fileSystem) -> ContentDownloader {
        ContentDownloader(
            serverURL: url, credentials: ServerCredentials(publishableKey: "pk_a", customerToken: "ct_a", verificationKeys: nil),
            folder: folder.url.path(percentEncoded: false), connections: connections, freeSpace: freeSpace)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)).sorted() }
    }

    private func expectComplete(_ installed: InstalledContent, _ server: StubContentServer) throws {
        #expect(try Data(contentsOf: URL(filePath: installed.path)) == server.content)
        #expect(installed.sha256 == server.sha256 && installed.length == Int64(server.content.count) && installed.version == "1")
        #expect(try files == [server.sha256])
    }

    /// The offsets of the requested ranges.
    private func ranges(_ server: StubContentServer) -> [Range<Int>] {
        server.ranges.compactMap { range in
            let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            return ends.count == 2 ? ends[0]..<ends[1] + 1 : nil
        }
    }

    @Test(arguments: [1, 4])
    func `each byte is requested once, over the permitted number of connections`(_ connections: Int) async throws {
        let server = try StubContentServer(length: Self.length)
        try expectComplete(try await downloader(try await server.listen(), connections: connections).fetch("book"), server)
        let ranges = ranges(server).sorted { $0.lowerBound < $1.lowerBound }
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == Self.length)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(server.mostRunning <= connections)
        #expect(server.conditions.allSatisfy { $0 == "\"\(server.sha256)\"" })
    }

    @Test(arguments: [1, 3])
    func `a lost connection costs no byte`(_ connections: Int) async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(
            .disconnects(after: 1), .disconnects(after: Self.chunk - 1), .disconnects(after: 2 * Self.chunk), .disconnects(after: 1_000_000)
        )
        let received = Mutex<[Int64]>([])
        let installed = try await downloader(try await server.listen(), connections: connections).fetch("book") { event in
            if case .received(let bytes) = event { received.withLock { $0.append(bytes) } }
        }
        try expectComplete(installed, server)
        // The last report would exceed the length if a byte had been received twice.
        #expect(received.withLock { $0.max() } == Int64(Self.length))
    }

    @Test func `an earlier app session's chunks are verified, and only the others are requested`() async throws {
        let server = try StubContentServer(length: Self.length)
        var bytes = server.content
        // One chunk has a wrong bit, and another one was not written.
        bytes[3 * Self.chunk + 7] ^= 1
        bytes.replaceSubrange(9 * Self.chunk..<10 * Self.chunk, with: Data(count: Self.chunk))
        try bytes.write(to: folder.file("\(server.sha256).chunks"))
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
        #expect(ranges(server).sorted { $0.lowerBound < $1.lowerBound } == [3, 9].map { $0 * Self.chunk..<($0 + 1) * Self.chunk })
    }

    @Test(arguments: [0, 1, Self.chunk, 5 * Self.chunk + 3, Self.length + 1])
    func `a file of any length is continued`(_ length: Int) async throws {
        let server = try StubContentServer(length: Self.length)
        try (server.content + [0]).prefix(length).write(to: folder.file("\(server.sha256).chunks"))
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
    }

    @Test func `a damaged chunk is fetched again`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.damages(at: 5))
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
    }

    @Test func `a chunk that is damaged twice ends the download, and the verified chunks are kept`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.damages(at: Self.chunk), .damages(at: 0))
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url, connections: 1).fetch("book") }
        #expect(try files == ["\(server.sha256).chunks"])
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(ranges(server).last.map { $0.lowerBound > 0 } == true)
    }

    @Test(arguments: [StubContentServer.Answer.wrongOffset, .refuses(416, code: nil)])
    func `an answer with another range ends the download`(_ answer: StubContentServer.Answer) async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(answer)
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url, connections: 1).fetch("book") }
    }

    @Test func `a server without ranges sends the whole file`() async throws {
        let server = try StubContentServer(length: Self.length)
        for _ in 0..<9 { server.answer(.ignoresRange) }
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
        #expect(server.ranges.last == "")
    }

    @Test func `a manifest that is not the announced one is refused before any content`() async throws {
        let server = try StubContentServer(length: Self.length) { $0.append(UInt8(ascii: " ")) }
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(server.ranges.isEmpty)
    }

    @Test func `a download without progress ends, and keeps the verified chunks`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.disconnects(after: 2 * Self.chunk), .refuses(503, code: "later"), .refuses(503, code: "later"))
        let url = try await server.listen()
        let error = await #expect(throws: ContentError.self) { try await downloader(url, connections: 1).fetch("book") }
        // The end of a connection can overtake bytes that the server has sent.
        guard case .interrupted(let received) = error else {
            Issue.record("The download was not interrupted.")
            return
        }
        #expect((1...Int64(2 * Self.chunk)).contains(received))
        #expect(server.ranges.count == 3)
        try expectComplete(try await downloader(url).fetch("book"), server)
    }

    @Test func `a download is refused that the device has no space for`() async throws {
        let server = try StubContentServer(length: Self.length)
        let url = try await server.listen()
        let error = ContentError.insufficientSpace(required: Int64(Self.length), available: 1_000_000)
        await #expect(throws: error) { try await downloader(url, freeSpace: FreeSpace { _ in 1_000_000 }).fetch("book") }
        #expect(server.ranges.isEmpty)
        #expect(error.description.contains("21 MB") && error.description.contains("1 MB"))
        // What an earlier session has received needs no space.
        try server.content.prefix(20 * Self.chunk).write(to: folder.file("\(server.sha256).chunks"))
        try expectComplete(try await downloader(url, freeSpace: FreeSpace { _ in Int64(Self.chunk) }).fetch("book"), server)
    }

    @Test func `content without a manifest needs space, too`() async throws {
        let server = StubContentServer()
        let url = try await server.listen()
        await #expect(throws: ContentError.insufficientSpace(required: 200_000, available: 199_999)) {
            try await downloader(url, freeSpace: FreeSpace { _ in 199_999 }).fetch("book")
        }
    }

    @Test(arguments: ["download-token.expired", "download-token.used-up"])
    func `a download that outlives its token continues with a new one`(_ code: String) async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.complete, .refuses(403, code: code))
        try expectComplete(try await downloader(try await server.listen(), connections: 1).fetch("book"), server)
        #expect(server.tokens == 2)
    }

    @Test func `a token that is refused at once is not requested without end`() async throws {
        let server = try StubContentServer(length: Self.length)
        server.answer(.refuses(403, code: "download-token.expired"))
        let url = try await server.listen()
        await #expect(throws: ContentError.refused(code: "download-token.expired", message: "No.")) {
            try await downloader(url, connections: 1).fetch("book")
        }
        #expect(server.tokens == 1)
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
        #expect(ranges(server).last?.lowerBound == 16 * Self.chunk)
    }
}

/// The pieces that the connections of a download share.
@Suite struct ChunkQueueTests {
    @Test func `pieces are consecutive chunks, at most sixteen of them`() {
        let queue = ChunkQueue(missing: [0, 1, 2, 5] + Array(7..<40), received: 3)
        let pieces = sequence(state: queue) { $0.next()?.chunks }
        #expect(Array(pieces) == [0..<3, 5..<6, 7..<23, 23..<39, 39..<40])
        #expect(queue.isEmpty && queue.received == 3)
    }

    @Test func `the rest of a piece is the next one`() {
        let queue = ChunkQueue(missing: Array(0..<40), received: 0)
        #expect(queue.next()?.chunks == 0..<16)
        queue.giveBack(ChunkQueue.Piece(chunks: 3..<16))
        #expect(queue.next()?.chunks == 3..<16)
        #expect(queue.next()?.chunks == 16..<32)
    }

    @Test func `damage is noted once for each chunk`() {
        let queue = ChunkQueue(missing: [0, 1], received: 0)
        #expect(queue.noteDamage(of: 0) && queue.noteDamage(of: 1) && !queue.noteDamage(of: 0))
    }
}
