import ContentTestSupport
import Foundation
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import ContentStorage

/// The storage in a bucket of a real server with the protocol of Amazon S3.
@Suite struct S3StorageTests {
    private static let key: ContentKey = "books/monkeys.pdf"

    private static func storage(
        _ configuration: S3Configuration, clock: any WallClock = SystemWallClock(),
        _ answer: @escaping RecordingTransport.Answer = { _, _ in nil }
    ) -> (storage: S3Storage, transport: RecordingTransport) {
        let transport = RecordingTransport(HTTPS3Transport(), answer)
        return (S3Storage(configuration, transport: transport, clock: clock, timer: ContinuousClock()), transport)
    }

    /// Starts an upload that ends without a connection before the part with a number.
    private static func interrupt(_ path: String, _ configuration: S3Configuration, before part: Int) async throws {
        var configuration = configuration
        (configuration.retries, configuration.maximumConcurrentParts) = (.never, 1)
        let (storage, _) = Self.storage(configuration) { request, _ throws(S3TransportError) in
            if request.partNumber == part { throw .noResponse }
            return nil
        }
        await #expect(throws: ContentStorageError.unavailable(.noResponse)) { try await storage.put(fileAt: path, as: key) }
    }

    // MARK: Multipart uploads

    @Test func `a file of 12 MiB is sent in three parts`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let (storage, transport) = Self.storage(configuration)
            let stored = try await storage.put(fileAt: path, as: Self.key, mediaType: MediaType("application/pdf"))
            #expect(stored.length == 12 << 20 && stored.sha256 == ContentDigest(of: bytes))
            #expect(
                transport.summary.sorted() == [
                    "GET uploads=", "HEAD", "HEAD", "POST", "POST uploads=", "PUT partNumber=1", "PUT partNumber=2", "PUT partNumber=3",
                ])
            #expect(try await storage.read(stored).data == bytes)
        }
    }

    @Test(arguments: [1, 2, 3], [S3PayloadSigning.hashed, .unsigned])
    func `an interrupted upload sends the missing parts only`(_ lost: Int, _ signing: S3PayloadSigning) async throws {
        var configuration = try await S3Server.shared.bucket()
        configuration.payloadSigning = signing
        try await TemporaryFolder.with { [configuration] folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            try await Self.interrupt(path, configuration, before: lost)
            let (storage, transport) = Self.storage(configuration)
            let first = Mutex<UploadProgress?>(nil)
            let stored = try await storage.put(fileAt: path, as: Self.key, mediaType: .octetStream) { report in
                first.withLock { $0 = $0 ?? report }
            }
            let sent = transport.summary.filter { $0.hasPrefix("PUT") }.sorted()
            #expect(sent == (lost...3).map { "PUT partNumber=\($0)" })
            // Without a complete part there is nothing to continue.
            #expect(transport.summary.contains("POST uploads=") == (lost == 1))
            if lost > 1 {
                #expect(first.withLock { $0 } == UploadProgress(sent: 0, reused: Int64(lost - 1) * (5 << 20), total: 12 << 20))
            }
            #expect(stored.sha256 == ContentDigest(of: bytes))
            #expect(try await storage.read(stored).data == bytes)
        }
    }

    @Test func `an upload that was interrupted before its completion sends no part`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let (broken, _) = Self.storage(configuration) { request, _ throws(S3TransportError) in
                if request.method == "POST", request.url.contains("uploadId=") { throw .notConnected }
                return nil
            }
            await #expect(throws: ContentStorageError.unavailable(.notConnected)) { try await broken.put(fileAt: path, as: Self.key) }
            let (storage, transport) = Self.storage(configuration)
            let stored = try await storage.put(fileAt: path, as: Self.key)
            #expect(!transport.summary.contains { $0.hasPrefix("PUT") } && stored.sha256 == ContentDigest(of: bytes))
        }
    }

    @Test func `an upload of another file under the same key is not continued`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            try await Self.interrupt(Sample.file(folder, 12 << 20, seed: 1).path, configuration, before: 3)
            let (path, bytes) = try Sample.file(folder, 12 << 20, seed: 2)
            let (storage, transport) = Self.storage(configuration)
            let stored = try await storage.put(fileAt: path, as: Self.key)
            #expect(transport.summary.count { $0.hasPrefix("PUT") } == 3)
            #expect(try await storage.read(stored).data == bytes)
        }
    }

    @Test func `a file that begins with the parts of an interrupted upload gets its own digest`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (old, bytes) = try Sample.file(folder, 12 << 20)
            try await Self.interrupt(old, configuration, before: 2)
            var changed = bytes
            changed[11 << 20] ^= 1
            let path = folder.file("changed").path
            try changed.write(to: URL(filePath: path))
            let (storage, _) = Self.storage(configuration)
            let stored = try await storage.put(fileAt: path, as: Self.key)
            #expect(stored.sha256 == ContentDigest(of: changed))
            #expect(try await storage.read(stored).data == changed)
        }
    }

    @Test func `a part that the bucket refuses for a while is repeated`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let failures = Countdown(2)
            let (storage, transport) = Self.storage(configuration) { request, _ in
                guard request.partNumber == 2, failures.next() else { return nil }
                return .error(503, "SlowDown")
            }
            let stored = try await storage.put(fileAt: path, as: Self.key)
            #expect(transport.summary.count { $0 == "PUT partNumber=2" } == 3)
            #expect(try await storage.read(stored).data == bytes)
        }
    }

    @Test func `a completion that fails with status 200 is repeated`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let failures = Countdown(1)
            let (storage, _) = Self.storage(configuration) { request, _ in
                guard request.method == "POST", request.url.contains("uploadId="), failures.next() else { return nil }
                return .error(200, "InternalError")
            }
            #expect(try await storage.put(fileAt: path, as: Self.key).sha256 == ContentDigest(of: bytes))
        }
    }

    @Test func `an upload whose completion succeeds without a response is not sent again`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let failures = Countdown(1)
            let (storage, transport) = Self.storage(configuration) { request, _ throws(S3TransportError) in
                guard request.method == "POST", request.url.contains("uploadId="), failures.next() else { return nil }
                _ = try await HTTPS3Transport().send(request)
                throw .noResponse
            }
            #expect(try await storage.put(fileAt: path, as: Self.key).sha256 == ContentDigest(of: bytes))
            #expect(transport.summary.count { $0.hasPrefix("PUT") } == 3 && transport.summary.count { $0 == "POST" } == 2)
        }
    }

    @Test(arguments: ["", " ", "<html/>", "<CompleteMultipartUploadResult>"])
    func `a completion without a result is malformed`(_ body: String) async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, _) = try Sample.file(folder, 12 << 20)
            let (storage, _) = Self.storage(configuration) { request, _ in
                request.method == "POST" && request.url.contains("uploadId=") ? S3TransportResponse(200, chunks: [body]) : nil
            }
            let error = await #expect(throws: ContentStorageError.self) { try await storage.put(fileAt: path, as: Self.key) }
            guard case .malformedResponse(200, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `an upload without the right to list uploads is sent as a whole`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            try await Self.interrupt(path, configuration, before: 3)
            let (storage, transport) = Self.storage(configuration) { request, _ in
                request.summary == "GET uploads=" ? .error(403, "AccessDenied") : nil
            }
            #expect(try await storage.put(fileAt: path, as: Self.key).sha256 == ContentDigest(of: bytes))
            #expect(transport.summary.count { $0.hasPrefix("PUT") } == 3)
        }
    }

    @Test func `interrupted uploads are removed`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            let (path, _) = try Sample.file(folder, 12 << 20)
            try await Self.interrupt(path, configuration, before: 2)
            let storage = S3Storage(configuration)
            // The server states the same date in 2010 for all uploads.
            #expect(try await storage.removeInterruptedUploads(startedBefore: Timestamp(milliseconds: 0)) == 0)
            #expect(try await storage.removeInterruptedUploads(startedBefore: Timestamp(Date())) == 1)
            #expect(try await storage.client.uploads("").isEmpty)
        }
    }

    @Test func `a canceled upload can be continued`() async throws {
        var configuration = try await S3Server.shared.bucket()
        configuration.maximumConcurrentParts = 1
        try await TemporaryFolder.with { [configuration] folder in
            let (path, bytes) = try Sample.file(folder, 12 << 20)
            let running = Mutex<Task<StoredContent, any Error>?>(nil)
            let (start, begin) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in start { break }
                return try await S3Storage(configuration).put(fileAt: path, as: Self.key, mediaType: .octetStream) { _ in
                    running.withLock { $0?.cancel() }
                }
            }
            running.withLock { $0 = task }
            begin.yield()
            let result = await task.result
            #expect(throws: ContentStorageError.canceled) { try result.get() }
            let (storage, transport) = Self.storage(configuration)
            let stored = try await storage.put(fileAt: path, as: Self.key)
            #expect(transport.summary.count { $0.hasPrefix("PUT") } < 3 && stored.sha256 == ContentDigest(of: bytes))
        }
    }

    @Test(arguments: [S3PayloadSigning.hashed, .unsigned], [Int64(1), -1])
    func `a short file that changes while it is stored is refused`(_ signing: S3PayloadSigning, _ change: Int64) async throws {
        var configuration = try await S3Server.shared.bucket()
        configuration.payloadSigning = signing
        try await TemporaryFolder.with { [configuration] folder in
            let (path, _) = try Sample.file(folder, 1_000)
            let changes = Countdown(1)
            let (storage, _) = Self.storage(configuration) { request, _ in
                if request.method == "PUT", changes.next() { truncate(path, off_t(1_000 + change)) }
                return nil
            }
            await #expect(throws: ContentStorageError.fileChanged(path: path)) { try await storage.put(fileAt: path, as: Self.key) }
            await #expect(throws: ContentStorageError.notFound(Self.key)) { try await storage.head(Self.key) }
        }
    }

    // MARK: Refusals

    @Test func `a wrong secret is refused with an error about the credentials`() async throws {
        let server = try await S3Server.shared
        let configuration = try await server.bucket()
        var user = server.permanent
        user.secretAccessKey = "wrong"
        let storage = S3Storage(try server.configuration(bucket: configuration.bucket, user: user))
        try await TemporaryFolder.with { folder in
            let (path, _) = try Sample.file(folder, 10)
            for call in Self.calls(of: storage, path) {
                let error = await #expect(throws: ContentStorageError.self) { try await call() }
                guard case .invalidCredentials(let response) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(response.status == 403 && response.code == "SignatureDoesNotMatch")
            }
        }
    }

    @Test func `an unknown access key is refused with an error about the credentials`() async throws {
        let server = try await S3Server.shared
        let user = S3Server.User(accessKeyID: "AKIAUNKNOWN", secretAccessKey: "secret", sessionToken: nil)
        let storage = S3Storage(try server.configuration(bucket: try await server.bucket().bucket, user: user))
        let error = await #expect(throws: ContentStorageError.self) { try await storage.list(.all, after: nil, limit: 1) }
        guard case .invalidCredentials(let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.code == "InvalidAccessKeyId" && error?.description.contains("AKIAUNKNOWN") == false)
    }

    @Test func `a missing bucket is an error of its own`() async throws {
        let server = try await S3Server.shared
        let storage = S3Storage(try server.configuration(bucket: "no-such-bucket"))
        try await TemporaryFolder.with { folder in
            let (path, _) = try Sample.file(folder, 12 << 20)
            for call in Self.calls(of: storage, path) {
                await #expect(throws: ContentStorageError.bucketNotFound("no-such-bucket")) { try await call() }
            }
        }
    }

    private static func calls(of storage: S3Storage, _ path: String) -> [() async throws -> Void] {
        [
            { try await storage.put(fileAt: path, as: key) },
            { _ = try await storage.head(key) },
            { _ = try await storage.list(.all, after: nil, limit: 1) },
            { try await storage.removeInterruptedUploads(startedBefore: Timestamp(Date())) },
        ]
    }

    @Test(arguments: [Int64(-3_600), 3_600]) func `a wrong clock is an error of its own`(_ seconds: Int64) async throws {
        let configuration = try await S3Server.shared.bucket()
        let clock = ManualClock(SystemWallClock().now.adding(seconds: seconds))
        let (storage, _) = Self.storage(configuration, clock: clock)
        let error = await #expect(throws: ContentStorageError.self) { try await storage.head(Self.key) }
        guard case .clockSkewed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `bytes that change on their way are refused`() async throws {
        let configuration = try await S3Server.shared.bucket()
        let storage = S3Storage(configuration)
        let error = await #expect(throws: ContentStorageError.self) {
            var request = S3Request("PUT", Self.key)
            request.body = .bytes(ByteBuffer(string: "damaged"))
            request.payload = SignatureV4.digest(of: Data("genuine".utf8))
            _ = try await storage.client.exchange(request)
        }
        guard case .refused(let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.code == "XAmzContentSHA256Mismatch")
    }

    @Test func `a server that is not reachable is an error of its own`() async throws {
        var configuration = try S3Configuration(
            bucket: "bucket", region: "us-east-1", credentials: Sample.credentials, endpoint: "http://127.0.0.1:9", addressing: .path)
        configuration.retries.initialDelay = .milliseconds(1)
        let storage = S3Storage(configuration)
        await #expect(throws: ContentStorageError.unavailable(.notConnected)) { try await storage.head(Self.key) }
    }

    // MARK: Presigned URLs

    /// The response to a request of curl.
    private static func curl(_ arguments: [String]) async throws -> (status: String, body: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--write-out", "%{http_code}"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        let data = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try handle.readToEnd() ?? Data() }) }
        }
        return (String(decoding: data.suffix(3), as: UTF8.self), data.dropLast(3))
    }

    @Test(arguments: [false, true]) func `curl reads an object with a presigned URL`(_ isTemporary: Bool) async throws {
        let server = try await S3Server.shared
        let configuration = try await server.bucket()
        let storage = S3Storage(
            try server.configuration(bucket: configuration.bucket, user: isTemporary ? server.temporary : server.permanent))
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, 10_000)
            let key: ContentKey = "a/(b)'!*.pdf"
            try await storage.put(fileAt: path, as: key)
            let url = storage.presignedURL(for: key, expiresIn: .seconds(60))
            let whole = try await Self.curl([url.text])
            #expect(whole.status == "200" && whole.body == bytes)
            let range = try await Self.curl(["--range", "10-19", url.text])
            #expect(range.status == "206" && range.body == bytes[10..<20])
            // The URL authorizes neither another object, a longer time nor a deletion.
            for forged in [
                url.text.replacing("pdf", with: "txt"), url.text.replacing("Expires=60", with: "Expires=61"),
                url.text.replacing("Signature=", with: "Signature=0"),
            ] {
                let response = try await Self.curl([forged])
                #expect(response.status == "403" && String(decoding: response.body, as: UTF8.self).contains("SignatureDoesNotMatch"))
            }
            #expect(try await Self.curl(["--request", "DELETE", url.text]).status == "403")
        }
    }

    @Test func `an expired presigned URL is refused`() async throws {
        let configuration = try await S3Server.shared.bucket()
        try await TemporaryFolder.with { folder in
            try await S3Storage(configuration).put(fileAt: Sample.file(folder, 10).path, as: Self.key)
            let clock = ManualClock(SystemWallClock().now.adding(seconds: -120))
            let (storage, _) = Self.storage(configuration, clock: clock)
            let expired = try await Self.curl([storage.presignedURL(for: Self.key, expiresIn: .seconds(60)).text])
            #expect(expired.status == "403" && String(decoding: expired.body, as: UTF8.self).contains("Request has expired"))
            #expect(try await Self.curl([storage.presignedURL(for: Self.key, expiresIn: .seconds(3_600)).text]).status == "200")
        }
    }

    // MARK: Objects of other programs

    @Test func `an object without the metadata of its digest has no digest, and is replaced`() async throws {
        let configuration = try await S3Server.shared.bucket()
        let storage = S3Storage(configuration)
        var request = S3Request("PUT", Self.key)
        (request.body, request.payload) = (.bytes(ByteBuffer(string: "test")), nil)
        _ = try await storage.client.exchange(request)
        let content = try await storage.head(Self.key)
        #expect(content.sha256 == nil && content.length == 4)
        #expect(try await storage.read(content, range: 1..<3).data == Data("es".utf8))
        try await TemporaryFolder.with { folder in
            let path = folder.file("same").path
            try Data("test".utf8).write(to: URL(filePath: path))
            #expect(try await storage.put(fileAt: path, as: Self.key).sha256 == ContentDigest(of: Data("test".utf8)))
        }
    }

    @Test func `objects with other keys are not listed`() async throws {
        let configuration = try await S3Server.shared.bucket()
        let storage = S3Storage(configuration)
        for path in ["a%20b", "%C3%A9", ".hidden", "a%01%26%3C%3E", "a%2Bb", "a//b", "a%28b%29"] {
            let subject = SignatureV4.Subject(
                method: "PUT", path: "\(configuration.address.path)/\(path)", headers: ["host": configuration.address.host])
            let headers = storage.client.signature.headers(of: subject, payload: SignatureV4.emptyPayload, at: SystemWallClock().now)
            let response = try await HTTPS3Transport().send(
                S3TransportRequest(
                    method: "PUT", url: configuration.address.origin + subject.path, headers: headers, body: .bytes(ByteBuffer()),
                    timeout: .seconds(30)))
            #expect(response.status == 200, "\(path)")
        }
        #expect(try await storage.list(.all, after: nil, limit: 100).objects.map(\.key) == ["a(b)"])
    }
}
