import ContentStorage
import Crypto
import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of items with versions, which an operator publishes while the server runs.
@Suite struct PublishedContentTests {
    private static let first = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) })
    private static let second = Data("second edition".utf8)

    private func withShop(_ body: @Sendable @escaping (Shop) async throws -> Void) async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await body(shop)
        }
    }

    private func token(_ shop: Shop) async throws -> DownloadToken { try await shop.downloadToken().value() }

    @Test func `a published version replaces the catalog's file without a restart, and earlier versions remain`() async throws {
        try await withShop { shop async throws in
            #expect(try await shop.content(token(shop).token).body == Shop.bookText)
            #expect(try await shop.publish(Self.first, version: "1.0").isNew)
            #expect(try await shop.content(token(shop).token).body == Self.first)
            try await shop.publish(Self.second, version: "1.1", fileName: "book.pdf")
            let token = try await token(shop)
            #expect(token.items.map(\.item) == [.main] && token.items[0].versions.map(\.version) == ["1.1", "1.0"])
            #expect(token.file == "book.pdf" && token.length == Self.second.count)
            let current = try await shop.content(token.token)
            #expect(current.body == Self.second && current.headers[.contentType] == "application/pdf")
            let earlier = try await shop.content(token.token, query: "?version=1.0", [.range: "bytes=2999990-"])
            #expect(earlier.body == Self.first.suffix(10) && earlier.status == .partialContent)
            #expect(earlier.headers[.eTag] == "\"\(ContentDigest(of: Self.first))\"")
        }
    }

    @Test func `items are chosen by name, and the first one by default`() async throws {
        try await withShop { shop async throws in
            let texts: [(ContentItemName, String)] = [("extras", "e"), ("café & \"more\"", "c"), (.main, "m")]
            for (item, text) in texts { try await shop.publish(Data(text.utf8), item: item) }
            let token = try await token(shop)
            #expect(token.items.map(\.item) == [.main, "café & \"more\"", "extras"])
            #expect(try await shop.content(token.token).body == Data("m".utf8))
            for (item, text) in texts {
                let name = try #require(item.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                #expect(try await shop.content(token.token, query: "?version=1&item=\(name)").body == Data(text.utf8))
            }
        }
    }

    @Test(arguments: [
        ("?item=../../etc/passwd", "content.no-item"), ("?item=..%2F..%2Fetc%2Fpasswd", "content.no-item"), ("?item=", "content.no-item"),
        ("?item=sha256/00", "content.no-item"), ("?item=main%20", "content.no-item"), ("?item=main&version=2", "content.no-version"),
        ("?version=../1", "content.no-version"), ("?version=", "content.no-version"), ("?item=%00", "identifier.malformed"),
        ("?version=1%0d%0aX-A:%20b", "identifier.malformed"), ("?item=%ff", "path.unreadable"),
    ])
    func `names are looked up and never become a path`(_ query: String, _ code: String) async throws {
        try await withShop { shop async throws in
            try await shop.publish(Self.second)
            let token = try await token(shop).token
            #expect(try await shop.content(token, query: query).code == code)
            #expect(try await shop.manifest(token, query: query).code == code)
        }
    }

    @Test func `the manifest verifies the file chunk by chunk`() async throws {
        try await withShop { shop async throws in
            for isPublished in [false, true] {
                if isPublished { try await shop.publish(Self.first, fileName: "Bücher.epub") }
                let token = try await token(shop)
                let version = try #require(token.items.first?.versions.first)
                let answer = try await shop.manifest(token.token)
                #expect(ContentDigest(of: answer.body).hexadecimal == version.manifest)
                #expect(answer.headers[.eTag] == "\"\(version.manifest)\"" && answer.headers[.contentType] == "application/json")
                let manifest = try ContentManifest(json: answer.body)
                #expect(manifest.fileName == version.fileName && manifest.version == version.version.rawValue)
                let file = try await shop.content(token.token).body
                #expect(manifest.length == file.count && manifest.sha256 == ContentDigest(of: file))
                for index in manifest.chunks.indices {
                    let range = try #require(manifest.range(ofChunk: index))
                    try manifest.verify(file[Int(range.lowerBound)..<Int(range.upperBound)], asChunk: index)
                }
                let part = try await shop.manifest(token.token, [.range: "bytes=1-8"])
                #expect(part.status == .partialContent && part.body == answer.body[1..<9])
            }
        }
    }

    @Test func `the items are listed for customers with access only`() async throws {
        try await Shop.open { shop async throws in
            func items(_ product: ProductID = .book) async throws -> Answer {
                try await shop.call(ServerEndpoints.contentItems, Empty(), ["product": product.rawValue], by: shop.app)
            }
            #expect(try await items().code == "content.not-bought")
            #expect(try await items(.credits5).code == "content.none")
            try await shop.record(.bookSale)
            try await shop.publish(Self.second, version: "2", mediaType: "text/plain; charset=utf-8")
            let reply: ContentItemsReply = try await items().value()
            let version = try #require(reply.items.first?.versions.first)
            #expect(reply.product == .book && reply.items.count == 1 && version.version == "2" && version.length == Self.second.count)
            #expect(version.mediaType == "text/plain; charset=utf-8" && version.sha256 == ContentDigest(of: Self.second).hexadecimal)
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            #expect(try await items().code == "content.refunded")
        }
    }

    @Test func `a repeated publication changes nothing, and another file does not replace a version`() async throws {
        try await withShop { shop async throws in
            let first = try await shop.publish(Self.first, version: "1")
            let again = try await shop.publish(Self.first, version: "1")
            #expect(first.isNew && !again.isNew && again.version == first.version)
            await #expect(throws: ContentPublicationError.versionExists(first.version)) {
                try await shop.publish(Self.second, version: "1")
            }
            await #expect(throws: ContentPublicationError.versionExists(first.version)) {
                try await shop.publish(Self.first, version: "1", fileName: "other.txt")
            }
            // Without a version, the same file is the current version, and another one is the next number.
            #expect(try await !shop.publish(Self.first).isNew)
            #expect(try await shop.publish(Self.second).version.version == "2")
            #expect(try await shop.publish(Self.first).version.version == "3")
            #expect(try await shop.content(token(shop).token).body == Self.first)
        }
    }

    @Test func `a repeated publication restores lost bytes`() async throws {
        try await withShop { shop async throws in
            try await shop.publish(Self.second)
            let token = try await token(shop).token
            try FileManager.default.removeItem(at: shop.folder.file("apps"))
            let answer = try await shop.content(token)
            #expect(answer.status == .serviceUnavailable && answer.code == "content.missing")
            #expect(answer.headers[.retryAfter] == "30")
            #expect(try await !shop.publish(Self.second).isNew)
            #expect(try await shop.content(token).body == Self.second)
        }
    }

    @Test func `an object that was shortened is not delivered`() async throws {
        try await withShop { shop async throws in
            let version = try await shop.publish(Self.first).version
            let token = try await token(shop).token
            let key = try PublishedObjects(app: .test).key(of: version.sha256)
            try Data("short".utf8).write(to: shop.folder.file(key.text))
            #expect(try await shop.content(token).code == "content.missing")
        }
    }

    @Test func `a removed version can't be downloaded, and its bytes are pruned later`() async throws {
        try await withShop { shop async throws in
            let removed = try await shop.publish(Self.first, version: "1").version
            let kept = try await shop.publish(Self.second, version: "2").version
            let token = try await token(shop).token
            #expect(try await shop.publisher.remove(.book, version: "1") == [removed])
            #expect(try await shop.content(token, query: "?version=1").code == "content.no-version")
            await #expect(throws: ContentPublicationError.notFound(.book)) { try await shop.publisher.remove(.book, version: "1") }

            let objects = PublishedObjects(app: .test)
            let expected = try Set([objects.key(of: removed.sha256), objects.key(of: removed.manifest)])
            // The manual clock is long before the dates of the files.
            #expect(try await shop.publisher.prune().objects.isEmpty)
            let publisher = ContentPublisher(try #require(shop.server.apps[.test]).content.library, clock: SystemWallClock())
            #expect(try await publisher.prune().objects.isEmpty)
            let future = ContentPublisher(
                try #require(shop.server.apps[.test]).content.library, clock: ManualClock(SystemWallClock().now.adding(days: 2)))
            #expect(try await Set(future.prune(isDryRun: true).objects.map(\.key)) == expected)
            let pruning = try await future.prune()
            #expect(Set(pruning.objects.map(\.key)) == expected && pruning.uploads == 0)
            #expect(try await future.prune().objects.isEmpty)
            #expect(try await shop.content(token).body == Self.second)
            #expect(kept.version == "2")
            // The operator's own file is not a published object.
            #expect(FileManager.default.fileExists(atPath: shop.folder.file("book.txt").path()))
        }
    }

    @Test func `a prune names a version that was published while its bytes were removed`() async throws {
        try await withShop { shop async throws in
            try await shop.publish(Self.first, version: "1")
            _ = try await shop.publisher.remove(.book, version: "1")
            let library = try #require(shop.server.apps[.test]).content.library
            let storage = InterruptedStorage(base: library.storage) {
                _ = try? await shop.publish(Self.first, version: "1")
            }
            let publisher = ContentPublisher(
                ContentLibrary(app: .test, records: library.records, catalog: library.catalog, storage: storage),
                clock: ManualClock(SystemWallClock().now.adding(days: 2)))
            let error = await #expect(throws: ContentPublicationError.self) { try await publisher.prune() }
            #expect(error?.description.contains("\(ProductID.book) main 1. Publish these versions again.") == true)
            #expect(try await !shop.publish(Self.first, version: "1").isNew)
            #expect(try await shop.content(token(shop).token).body == Self.first)
        }
    }

    @Test func `only products of the catalog, and valid names, are published`() async throws {
        try await withShop { shop async throws in
            await #expect(throws: ContentPublicationError.unknownProduct("com.example.monkeyshop.bok", nearest: .book)) {
                try await shop.publish(Self.second, product: "com.example.monkeyshop.bok")
            }
            for name in ["", "a\nb", String(repeating: "a", count: 201)] {
                await #expect(throws: ContentPublicationError.itemName) { try await shop.publish(Self.second, item: ContentItemName(name)) }
                await #expect(throws: ContentPublicationError.versionName) {
                    try await shop.publish(Self.second, version: ContentVersionName(name))
                }
            }
            for name in ["../book", "a/b", "a\r\nSet-Cookie: a", ""] {
                await #expect(throws: ContentManifestError.invalidFileName) { try await shop.publish(Self.second, fileName: name) }
            }
        }
    }

    @Test(arguments: [
        ("book.txt", #"attachment; filename="book.txt""#), ("My book (1).txt", #"attachment; filename="My book (1).txt""#),
        ("a\"b\\c%41;d", #"attachment; filename="a_b_c_41;d"; filename*=UTF-8''a%22b%5Cc%2541%3Bd"#),
        ("Bücher.epub", #"attachment; filename="B_cher.epub"; filename*=UTF-8''B%C3%BCcher.epub"#),
        ("🐒\u{202E}.txt", #"attachment; filename="__.txt"; filename*=UTF-8''%F0%9F%90%92%E2%80%AE.txt"#),
        ("a\r\nX-A: b", #"attachment; filename="a__X-A: b"; filename*=UTF-8''a%0D%0AX-A%3A%20b"#),
    ])
    func `a file name can't add headers or parameters`(_ name: String, _ value: String) {
        #expect(HTTPFields.disposition(name) == value)
    }
}

/// A storage that runs a closure before each deletion.
private struct InterruptedStorage: ContentStorage {
    let base: any ContentStorage
    let beforeDeletion: @Sendable () async -> Void

    func put(
        fileAt path: String, as key: ContentKey, mediaType: MediaType, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> StoredContent {
        try await base.put(fileAt: path, as: key, mediaType: mediaType, progress: progress)
    }

    func head(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent { try await base.head(key) }

    func read(_ content: StoredContent, range: Range<Int64>) async throws(ContentStorageError) -> ContentChunks {
        try await base.read(content, range: range)
    }

    func delete(_ key: ContentKey) async throws(ContentStorageError) {
        await beforeDeletion()
        try await base.delete(key)
    }

    func list(_ prefix: ContentPrefix, after cursor: ContentCursor?, limit: Int) async throws(ContentStorageError) -> ContentListing {
        try await base.list(prefix, after: cursor, limit: limit)
    }

    func removeInterruptedUploads(startedBefore date: Timestamp) async throws(ContentStorageError) -> Int {
        try await base.removeInterruptedUploads(startedBefore: date)
    }
}
