import Foundation
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

@Suite struct ContentDownloaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func downloader(_ url: HTTPURL, in path: String? = nil) -> ContentDownloader {
        ContentDownloader(
            serverURL: url, credentials: ServerCredentials(publishableKey: "pk_a", customerToken: "ct_a", verificationKeys: nil),
            folder: path ?? folder.url.path(percentEncoded: false), freeSpace: FreeSpace { _ in .max })
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)).sorted() }
    }

    private func expectComplete(_ installed: InstalledContent, _ server: StubContentServer) throws {
        #expect(try Data(contentsOf: URL(filePath: installed.path)) == server.content)
        #expect(installed.sha256 == server.sha256)
        #expect(installed.length == Int64(server.content.count))
        #expect(try files == [server.sha256])
    }

    @Test func `content is downloaded completely, verified and installed`() async throws {
        let server = StubContentServer()
        let events = Mutex<[String]>([])
        let downloader = downloader(try await server.listen())
        let installed = try await downloader.fetch("book") { event in
            // The progress is reported many times.
            let name = "\(event)".prefix { $0 != "(" }.description
            events.withLock { if $0.last != name { $0.append(name) } }
        }
        try expectComplete(installed, server)
        #expect(events.withLock { $0 } == ["announced", "started", "received", "installed"])
        #expect(server.ranges == [""])
    }

    @Test func `a slow network can be simulated with each received byte`() async throws {
        let server = StubContentServer()
        let waited = Mutex(0)
        var downloader = downloader(try await server.listen())
        downloader.throttle = { bytes in waited.withLock { $0 += bytes } }
        try expectComplete(try await downloader.fetch("book"), server)
        #expect(waited.withLock { $0 } == server.content.count)
    }

    @Test func `an error of the throttle interrupts a download, which a later call continues`() async throws {
        struct NoNetwork: Error {}
        let server = StubContentServer()
        let isDown = Mutex(true)
        var downloader = downloader(try await server.listen())
        downloader.throttle = { _ in if isDown.withLock({ $0 }) { throw NoNetwork() } }
        let throttled = downloader
        await #expect(throws: ContentError.self) { try await throttled.fetch("book") }
        #expect(server.ranges.count == 1)
        isDown.withLock { $0 = false }
        try expectComplete(try await throttled.fetch("book"), server)
    }

    @Test func `a download that loses its connection sends no request without a network`() async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 100))
        let isReachable = Mutex(true)
        var downloader = downloader(try await server.listen())
        downloader.isReachable = { isReachable.withLock { $0 } }
        let observed = downloader
        await #expect(throws: ContentError.self) {
            try await observed.fetch("book") { event in
                if case .broken = event { isReachable.withLock { $0 = false } }
            }
        }
        #expect(server.ranges.count == 1)
    }

    @Test func `a subscription downloads its file once, and not for each renewal`() async throws {
        let server = StubContentServer()
        let downloader = downloader(try await server.listen())
        try await StoreHarness.run { store in
            let phone = try await Phone(account: .test, at: store)
            try await store.createAccount(.test)
            let app = try await KitApp.launch(phone, wallClock: store.clock) {
                $0.fulfillments[ProductID.magazine] = .deliver(downloader)
            }
            #expect(await app.buy(ProductID.magazine).delivered != nil)
            for count in 2...4 {
                try await store.advance(days: 31)
                await app.wake()
                try await eventually { await app.vault.contents.delivered.count == count }
            }
            #expect(server.ranges == [""])
            await app.close()
        }
    }

    @Test func `content whose folder the system has moved is not downloaded again`() async throws {
        let server = StubContentServer()
        let url = try await server.listen()
        let (old, new) = (folder.file("old container").path, folder.file("new container").path)
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[ProductID.magazine] = .downloadLater(downloader(url, in: old)) }
        #expect(await first.buy(ProductID.magazine).delivered != nil)
        guard case .installed = await first.purchases.download(ProductID.magazine) else {
            Issue.record("The content was not downloaded.")
            return
        }
        await first.close()
        try FileManager.default.moveItem(atPath: old, toPath: new)
        let app = try await KitApp.launch(phone) { $0.fulfillments[ProductID.magazine] = .downloadLater(downloader(url, in: new)) }
        #expect(await app.state.readyToDownload.isEmpty)
        let path = try #require(await app.vault.content(of: .magazine)?.path)
        #expect(try Data(contentsOf: URL(filePath: path)) == server.content)
        #expect(server.ranges.count == 1)
    }

    @Test(arguments: [1, 100_000, 199_999])
    func `a partial download of an earlier launch is resumed`(_ offset: Int) async throws {
        let server = StubContentServer()
        try server.content.prefix(offset).write(to: folder.file("\(server.sha256).partial"))
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
        #expect(server.ranges == ["bytes=\(offset)-"])
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
    }

    @Test func `a download without progress ends and keeps the received bytes for a later launch`() async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 50_000), .disconnects(after: 0))
        let url = try await server.listen()
        let error = await #expect(throws: ContentError.self) { try await downloader(url).fetch("book") }
        guard case .interrupted(let received) = error else {
            Issue.record("The download was not interrupted.")
            return
        }
        #expect(received > 0)
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges.last == "bytes=\(received)-")
    }

    @Test func `a connection that breaks before the first byte is an interruption`() async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 0))
        let url = try await server.listen()
        await #expect(throws: ContentError.interrupted(received: 0)) { try await downloader(url).fetch("book") }
        try expectComplete(try await downloader(url).fetch("book"), server)
    }

    @Test func `an empty file is valid content`() async throws {
        let server = StubContentServer { token in
            token.length = 0
            token.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        }
        let installed = try await downloader(try await server.listen()).fetch("book")
        #expect(try Data(contentsOf: URL(filePath: installed.path)).isEmpty)
        #expect(server.ranges.isEmpty)
    }

    @Test(arguments: [
        StubContentServer.Answer.otherBytes, .tooLong, .truncates(after: 199_999), .wrongOffset, .refuses(416, code: nil),
    ])
    func `content that does not match its announcement is damaged and deleted`(_ answer: StubContentServer.Answer) async throws {
        let server = StubContentServer()
        server.answer(answer)
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(try files.isEmpty)
        try expectComplete(try await downloader(url).fetch("book"), server)
    }

    @Test(arguments: [StubContentServer.Answer.otherBytes, .tooLong, .truncates(after: 1), .wrongOffset, .refuses(416, code: nil)])
    func `damage in a resumed download also deletes the earlier bytes`(_ answer: StubContentServer.Answer) async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 1_000), answer)
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(try files.isEmpty)
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges.last == "")
    }

    @Test func `a download from a server without range requests restarts and completes`() async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 1_000), .ignoresRange)
        try expectComplete(try await downloader(try await server.listen()).fetch("book"), server)
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `a refusal has the server's code, and the received bytes are kept`(_ status: Int) async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 5), .refuses(status, code: "content.refunded"))
        let url = try await server.listen()
        await #expect(throws: ContentError.refused(code: "content.refunded", message: "No.")) {
            try await downloader(url).fetch("book")
        }
        #expect(try files == ["\(server.sha256).partial"])
    }

    @Test(
        arguments: [(404, nil), (429, "content.too-many-downloads"), (503, "later"), (500, nil), (302, nil), (202, nil)] as [(Int, String?)]
    )
    func `a response without a refusal code, or with a temporary refusal, is an interruption`(_ status: Int, _ code: String?) async throws {
        let server = StubContentServer()
        server.answer(.disconnects(after: 5), .refuses(status, code: code))
        let url = try await server.listen()
        await #expect(throws: ContentError.interrupted(received: 5)) { try await downloader(url).fetch("book") }
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges.last == "bytes=5-")
    }

    @Test(arguments: [
        (403, ContentError.refused(code: "content.refused", message: "No.")), (429, .interrupted(received: 0)),
        (503, .interrupted(received: 0)),
    ])
    func `a temporary refusal of a download token is an interruption`(_ status: Int, _ error: ContentError) async throws {
        let server = StubContentServer(refusingTokenWith: status)
        let url = try await server.listen()
        await #expect(throws: error) { try await downloader(url).fetch("book") }
    }

    @Test func `a complete file whose delivery was not recorded is not downloaded again, unless it is damaged`() async throws {
        let server = StubContentServer()
        let url = try await server.listen()
        for _ in 1...2 { try expectComplete(try await downloader(url).fetch("book"), server) }
        #expect(server.ranges == [""])
        try Data("damaged".utf8).write(to: folder.file(server.sha256))
        try expectComplete(try await downloader(url).fetch("book"), server)
        #expect(server.ranges == ["", ""])
    }

    @Test func `an unreachable server is an interruption`() async throws {
        await #expect(throws: ContentError.interrupted(received: 0)) {
            try await downloader("http://127.0.0.1:1").fetch("book")
        }
    }

    @Test(arguments: [
        "../../../../../../tmp/x", "", String(repeating: "/", count: 64), String(repeating: "０", count: 64),
        String(repeating: "A", count: 64), String(repeating: "\u{0}", count: 64), String(repeating: "a", count: 65),
    ])
    func `a download token with an invalid hash is refused before any write`(_ hash: String) async throws {
        let server = StubContentServer { $0.sha256 = hash }
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(server.ranges.isEmpty)
        #expect(try files.isEmpty)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func `a download token with a wrong length is refused without a trap`(_ length: Int64) async throws {
        let server = StubContentServer { $0.length = length }
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(try files.isEmpty)
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "a\u{0}", "é"])
    func `a download token that can't be sent in a header is refused`(_ token: String) async throws {
        let server = StubContentServer { $0.token = token }
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(server.ranges.isEmpty)
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

    @Test func `the bytes of a redirection are verified`() async throws {
        let (server, bucket) = (StubContentServer(), StubContentServer())
        server.answer(.redirects(to: "\(try await bucket.listen())/v1/content/object"))
        bucket.answer(.otherBytes)
        let url = try await server.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book") }
        #expect(try files.isEmpty)
    }

    @Test(arguments: ["", "/v1/content/other", "ftp://127.0.0.1/book", "http://user:password@127.0.0.1/", "http://127.0.0.1:65536/"])
    func `a redirection to another kind of address is refused`(_ address: String) async throws {
        let server = StubContentServer()
        server.answer(.redirects(to: address))
        let url = try await server.listen()
        let error = await #expect(throws: ContentError.self) { try await downloader(url).fetch("book") }
        guard case .refused("content.redirection", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.ranges == [""])
    }

    @Test func `the current version of an item is downloaded by its names`() async throws {
        let server = StubContentServer { token in
            let version = ContentVersionReply(
                version: "1 & 2", fileName: "extras", mediaType: "text/plain", length: token.length, sha256: token.sha256,
                manifest: token.sha256, publishedAt: .testStart)
            token.items = [ContentItemReply(item: "extras", versions: [version])]
            (token.length, token.sha256) = (1, String(repeating: "0", count: 64))
        }
        let url = try await server.listen()
        try expectComplete(try await downloader(url).fetch("book", item: "extras"), server)
        #expect(server.queries == ["item=extras&version=1%20%26%202"])
        let error = await #expect(throws: ContentError.self) { try await downloader(url).fetch("book", item: "main") }
        guard case .refused("content.no-item", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
