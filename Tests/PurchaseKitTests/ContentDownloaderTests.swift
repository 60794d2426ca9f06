import Foundation
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Synchronization
import Testing

@Suite struct ContentDownloaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func downloader(_ url: HTTPURL) -> ContentDownloader {
        ContentDownloader(serverURL: url, folder: folder.url.path(percentEncoded: false))
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)).sorted() }
    }

    private func expectWhole(_ installed: InstalledContent, _ stage: ContentStage) throws {
        #expect(try Data(contentsOf: URL(filePath: installed.path)) == stage.content)
        #expect(installed.sha256 == stage.sha256)
        #expect(installed.length == Int64(stage.content.count))
        #expect(try files == [stage.sha256])
    }

    @Test func `content comes whole, is checked and lies in its place`() async throws {
        let stage = ContentStage()
        let events = Mutex<[String]>([])
        let downloader = downloader(try await stage.listen())
        let installed = try await downloader.fetch("book", receipt: Data()) { event in
            events.withLock { $0.append("\(event)".prefix(while: { $0 != "(" }).description) }
        }
        try expectWhole(installed, stage)
        #expect(events.withLock { $0 } == ["announced", "started", "installed"])
        #expect(stage.ranges == [""])
    }

    @Test(arguments: [1, 100_000, 199_999])
    func `what an earlier launch has fetched is not fetched again`(_ offset: Int) async throws {
        let stage = ContentStage()
        try stage.content.prefix(offset).write(to: folder.file("\(stage.sha256).partial"))
        try expectWhole(try await downloader(try await stage.listen()).fetch("book", receipt: Data()), stage)
        #expect(stage.ranges == ["bytes=\(offset)-"])
    }

    @Test func `a connection that breaks is taken up at the byte where it broke, again and again as long as bytes come`() async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 1), .breaks(after: 100), .breaks(after: 100_000), .breaks(after: 10))
        let broken = Mutex<[Int64]>([])
        let installed = try await downloader(try await stage.listen()).fetch("book", receipt: Data()) { event in
            if case .broken(let received) = event { broken.withLock { $0.append(received) } }
        }
        try expectWhole(installed, stage)
        #expect(stage.ranges == [""] + broken.withLock { $0.map { "bytes=\($0)-" } })
        #expect(stage.ranges.count == 5)
    }

    @Test func `without progress it ends and keeps what came, for another launch`() async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 50_000), .breaks(after: 0))
        let url = try await stage.listen()
        let error = await #expect(throws: ContentError.self) { try await downloader(url).fetch("book", receipt: Data()) }
        guard case .interrupted(let received) = error else {
            Issue.record("It was not interrupted.")
            return
        }
        #expect(received > 0)
        try expectWhole(try await downloader(url).fetch("book", receipt: Data()), stage)
        #expect(stage.ranges.last == "bytes=\(received)-")
    }

    @Test func `a connection that breaks before the first byte is an interruption`() async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 0))
        let url = try await stage.listen()
        await #expect(throws: ContentError.interrupted(received: 0)) { try await downloader(url).fetch("book", receipt: Data()) }
        try expectWhole(try await downloader(url).fetch("book", receipt: Data()), stage)
    }

    @Test func `an empty file is content, too`() async throws {
        let stage = ContentStage { ticket in
            ticket.length = 0
            ticket.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        }
        let installed = try await downloader(try await stage.listen()).fetch("book", receipt: Data())
        #expect(try Data(contentsOf: URL(filePath: installed.path)).isEmpty)
        #expect(stage.ranges.isEmpty)
    }

    @Test(arguments: [
        ContentStage.Answer.otherBytes, .tooLong, .ends(after: 199_999), .wrongOffset, .refuses(416, code: nil),
    ])
    func `what is not what was announced is damaged and thrown away`(_ answer: ContentStage.Answer) async throws {
        let stage = ContentStage()
        stage.answer(answer)
        let url = try await stage.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book", receipt: Data()) }
        #expect(try files.isEmpty)
        try expectWhole(try await downloader(url).fetch("book", receipt: Data()), stage)
    }

    @Test(arguments: [ContentStage.Answer.otherBytes, .tooLong, .ends(after: 1), .wrongOffset, .refuses(416, code: nil)])
    func `damage in the second half throws the first away, too`(_ answer: ContentStage.Answer) async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 1_000), answer)
        let url = try await stage.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book", receipt: Data()) }
        #expect(try files.isEmpty)
        try expectWhole(try await downloader(url).fetch("book", receipt: Data()), stage)
        #expect(stage.ranges.last == "")
    }

    @Test func `a server that does not know ranges starts again, and it comes right`() async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 1_000), .ignoresRange)
        try expectWhole(try await downloader(try await stage.listen()).fetch("book", receipt: Data()), stage)
    }

    @Test(arguments: [400, 401, 403, 404, 410])
    func `a refusal comes with the server's code, and what was there stays`(_ status: Int) async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 5), .refuses(status, code: "content.refunded"))
        let url = try await stage.listen()
        await #expect(throws: ContentError.refused(code: "content.refunded", message: "No.")) {
            try await downloader(url).fetch("book", receipt: Data())
        }
        #expect(try files == ["\(stage.sha256).partial"])
    }

    @Test(arguments: [(404, nil), (503, "later"), (500, nil), (302, nil), (202, nil)] as [(Int, String?)])
    func `an answer that is no refusal of ours is an interruption`(_ status: Int, _ code: String?) async throws {
        let stage = ContentStage()
        stage.answer(.breaks(after: 5), .refuses(status, code: code))
        let url = try await stage.listen()
        await #expect(throws: ContentError.interrupted(received: 5)) { try await downloader(url).fetch("book", receipt: Data()) }
        try expectWhole(try await downloader(url).fetch("book", receipt: Data()), stage)
        #expect(stage.ranges.last == "bytes=5-")
    }

    @Test func `a server that is not there is an interruption`() async throws {
        await #expect(throws: ContentError.interrupted(received: 0)) {
            try await downloader("http://127.0.0.1:1").fetch("book", receipt: Data())
        }
    }

    @Test(arguments: [
        "../../../../../../tmp/x", "", String(repeating: "/", count: 64), String(repeating: "０", count: 64),
        String(repeating: "A", count: 64), String(repeating: "\u{0}", count: 64), String(repeating: "a", count: 65),
    ])
    func `a ticket whose hash is none is refused before anything is written`(_ hash: String) async throws {
        let stage = ContentStage { $0.sha256 = hash }
        let url = try await stage.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book", receipt: Data()) }
        #expect(stage.ranges.isEmpty)
        #expect(try files.isEmpty)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func `a ticket with another length brings nothing and traps nowhere`(_ length: Int64) async throws {
        let stage = ContentStage { $0.length = length }
        let url = try await stage.listen()
        await #expect(throws: ContentError.damaged) { try await downloader(url).fetch("book", receipt: Data()) }
        #expect(try files.isEmpty)
    }

    @Test func `a ticket that is no part of an address is sent all the same`() async throws {
        let stage = ContentStage { $0.ticket = "a b&c#\r\nX: y\u{0}/../%" }
        try expectWhole(try await downloader(try await stage.listen()).fetch("book", receipt: Data()), stage)
    }
}
