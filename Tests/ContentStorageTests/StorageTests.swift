import ContentTestSupport
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import ContentStorage

/// The promises of all storages.
@Suite struct StorageTests {
    enum Kind: CaseIterable, Sendable {
        case folder
        case bucket
        case bucketWithUnsignedPayload
        case bucketWithSessionToken
        case bucketWithVirtualHost
    }

    /// Runs `body` with an empty storage.
    static func with(_ kind: Kind, _ body: (any ContentStorage, TemporaryFolder) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await body(try await storage(kind, folder), folder)
        }
    }

    private static func storage(_ kind: Kind, _ folder: TemporaryFolder) async throws -> any ContentStorage {
        if kind == .folder { return FolderStorage(path: folder.file("storage/objects").path) }
        let server = try await S3Server.shared
        var configuration = try await server.bucket()
        switch kind {
        case .bucketWithUnsignedPayload: configuration.payloadSigning = .unsigned
        case .bucketWithSessionToken: configuration = try server.configuration(bucket: configuration.bucket, user: server.temporary)
        case .bucketWithVirtualHost:
            let virtual = try S3Configuration(
                bucket: configuration.bucket, region: "us-east-1", credentials: server.permanent.credentials,
                endpoint: "http://s3.us-east-1.amazonaws.com", addressing: .virtualHosted)
            return S3Storage(
                virtual, transport: RedirectedTransport(url: server.url), clock: SystemWallClock(), timer: ContinuousClock())
        case .folder, .bucket: break
        }
        return S3Storage(configuration)
    }

    /// Sends the requests for Amazon's server to another one, with an unchanged `Host` header.
    private struct RedirectedTransport: S3Transport {
        let url: HTTPURL

        func send(_ request: S3TransportRequest) async throws(S3TransportError) -> S3TransportResponse {
            var request = request
            request.url = request.url.replacing(/^http:\/\/[^\/]*amazonaws.com/, with: url.text)
            return try await HTTPS3Transport().send(request)
        }
    }

    @Test(arguments: Kind.allCases, [0, 1, 100_000, (5 << 20) + 1])
    func `an object is stored, described, read and deleted`(_ kind: Kind, _ count: Int) async throws {
        try await Self.with(kind) { storage, folder in
            let (path, bytes) = try Sample.file(folder, count)
            let key = ContentKey(addressing: ContentDigest(of: bytes))
            let last = Mutex<UploadProgress?>(nil)
            let stored = try await storage.put(fileAt: path, as: key, mediaType: MediaType("application/pdf")) { progress in
                last.withLock { last in
                    #expect(progress.completed >= last?.completed ?? 0)
                    last = progress
                }
            }
            #expect(count == 0 || last.withLock { $0 } == UploadProgress(sent: Int64(count), reused: 0, total: Int64(count)))
            #expect(stored.key == key && stored.length == Int64(count) && stored.sha256 == ContentDigest(of: bytes))
            #expect(abs(stored.modified.date.timeIntervalSinceNow) < 600)
            #expect(try await storage.head(key) == stored)
            #expect(try await storage.read(stored).data == bytes)
            for range in [0..<min(1, count), count / 3..<count / 2, max(count - 1, 0)..<count, count..<count] {
                #expect(try await storage.read(stored, range: Int64(range.lowerBound)..<Int64(range.upperBound)).data == bytes[range])
            }
            try await storage.delete(key)
            await #expect(throws: ContentStorageError.notFound(key)) { try await storage.head(key) }
            await #expect(throws: ContentStorageError.self) { for try await _ in try await storage.read(stored, range: 0..<1) {} }
            try await storage.delete(key)
        }
    }

    @Test(arguments: [Kind.folder, .bucket, .bucketWithVirtualHost], ["a!-_.*'()z", "v1.2/Book..pdf", "A/b/C/d"])
    func `a key may have special characters`(_ kind: Kind, _ key: ContentKey) async throws {
        try await Self.with(kind) { storage, folder in
            let (path, bytes) = try Sample.file(folder, 1_000)
            let stored = try await storage.put(fileAt: path, as: key)
            #expect(try await storage.read(stored).data == bytes)
            var keys: [ContentKey] = []
            for try await object in storage.objects() { keys.append(object.key) }
            #expect(keys == [key])
        }
    }

    @Test(arguments: [Kind.folder, .bucket]) func `an object with the same bytes is not stored again`(_ kind: Kind) async throws {
        try await Self.with(kind) { storage, folder in
            let (path, _) = try Sample.file(folder, 50_000)
            let first = try await storage.put(fileAt: path, as: "a")
            let reports = Mutex<[UploadProgress]>([])
            let second = try await storage.put(fileAt: path, as: "a", mediaType: .octetStream) { report in
                reports.withLock { $0.append(report) }
            }
            #expect(first == second)
            #expect(reports.withLock { $0 } == [UploadProgress(sent: 0, reused: 50_000, total: 50_000)])
        }
    }

    @Test(arguments: [Kind.folder, .bucket]) func `an object is replaced, and its old description is refused`(_ kind: Kind) async throws {
        try await Self.with(kind) { storage, folder in
            let old = try await storage.put(fileAt: Sample.file(folder, 50_000, seed: 1).path, as: "a")
            let (path, bytes) = try Sample.file(folder, 50_000, seed: 2)
            let new = try await storage.put(fileAt: path, as: "a")
            #expect(new.sha256 == ContentDigest(of: bytes) && new.entityTag != old.entityTag)
            #expect(try await storage.read(new).data == bytes)
            await #expect(throws: ContentStorageError.changed("a")) { try await storage.read(old) }
        }
    }

    @Test(arguments: [Kind.folder, .bucket]) func `objects are listed by prefix, in order and page by page`(_ kind: Kind) async throws {
        try await Self.with(kind) { storage, folder in
            let keys: [ContentKey] = ["B", "a", "a!", "a-b/c", "a.txt", "a/b/c", "a/b/d", "a/b.txt", "a/b0", "a0", "b/c"]
            let (path, _) = try Sample.file(folder, 10)
            // A folder can't have a file and a folder of one name.
            let stored = kind == .folder ? keys.filter { $0.text != "a" } : keys
            for key in stored { try await storage.put(fileAt: path, as: key) }
            for prefix in ["", "a", "a/", "a/b", "a/b/", "a/b/c", "a/c", "b", "c", "a-b/c"] {
                let expected = stored.filter { $0.text.hasPrefix(prefix) }.sorted()
                for limit in [1, 2, 3, 100, 0, .max, .min] {
                    var (found, cursor, pages): ([StoredContent], ContentCursor?, Int) = ([], nil, 0)
                    repeat {
                        let page = try await storage.list(ContentPrefix(prefix), after: cursor, limit: limit)
                        #expect(page.objects.count <= max(limit, 1))
                        found += page.objects
                        cursor = page.next
                        pages += 1
                    } while cursor != nil && pages < 100
                    #expect(found.map(\.key) == expected, "\(prefix) \(limit)")
                    #expect(found.allSatisfy { $0.length == 10 && $0.sha256 == nil })
                    if limit > 1 { continue }
                    #expect(pages == max(expected.count, 1))
                }
                var all: [ContentKey] = []
                for try await object in storage.objects(try ContentPrefix(prefix)) { all.append(object.key) }
                #expect(all == expected)
            }
            // The description of a listing can be read.
            let first = try #require(try await storage.list(.all, after: nil, limit: 1).objects.first)
            #expect(try await storage.read(first).data.count == 10)
        }
    }

    @Test(arguments: [Kind.folder, .bucket]) func `a file that can't be read is not stored`(_ kind: Kind) async throws {
        try await Self.with(kind) { storage, folder in
            let missing = folder.file("missing").path
            await #expect(throws: ContentStorageError.file(path: missing, errorNumber: ENOENT)) {
                try await storage.put(fileAt: missing, as: "a")
            }
            await #expect(throws: ContentStorageError.file(path: folder.url.path, errorNumber: EINVAL)) {
                try await storage.put(fileAt: folder.url.path, as: "a")
            }
            await #expect(throws: ContentStorageError.notFound("a")) { try await storage.head("a") }
        }
    }

    @Test(arguments: [Kind.folder, .bucket], [Int64(1), -1])
    func `a file that changes while it is stored is refused`(_ kind: Kind, _ change: Int64) async throws {
        try await Self.with(kind) { storage, folder in
            let (path, _) = try Sample.file(folder, 12 << 20)
            let changes = Countdown(1)
            let error = await #expect(throws: ContentStorageError.self) {
                try await storage.put(fileAt: path, as: "a", mediaType: .octetStream) { _ in
                    if changes.next() { truncate(path, off_t((12 << 20) + change)) }
                }
            }
            #expect(error == .fileChanged(path: path) && error?.isRetryable == true)
            await #expect(throws: ContentStorageError.notFound("a")) { try await storage.head("a") }
        }
    }
}
