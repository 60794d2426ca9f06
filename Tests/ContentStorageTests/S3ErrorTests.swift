import Foundation
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import ContentStorage

/// Errors, retries and interrupted reads, with a transport that answers instead of a server.
@Suite struct S3ErrorTests {
    private static let key: ContentKey = "a/b"
    private static let content = StoredContent(
        key: key, length: 10, sha256: nil, modified: Timestamp(milliseconds: 0), entityTag: "\"e\"")

    @Test(arguments: [
        (404, "NoSuchKey", ContentStorageError.notFound(key)),
        (404, "NoSuchBucket", .bucketNotFound("examplebucket")),
        (404, "NoSuchUpload", .refused(S3ErrorResponse(status: 404, code: "NoSuchUpload", message: "m"))),
        (403, "SignatureDoesNotMatch", .invalidCredentials(S3ErrorResponse(status: 403, code: "SignatureDoesNotMatch", message: "m"))),
        (403, "InvalidAccessKeyId", .invalidCredentials(S3ErrorResponse(status: 403, code: "InvalidAccessKeyId", message: "m"))),
        (400, "ExpiredToken", .invalidCredentials(S3ErrorResponse(status: 400, code: "ExpiredToken", message: "m"))),
        (403, "AccessDenied", .accessDenied(S3ErrorResponse(status: 403, code: "AccessDenied", message: "m"))),
        (403, "RequestTimeTooSkewed", .clockSkewed(S3ErrorResponse(status: 403, code: "RequestTimeTooSkewed", message: "m"))),
        (301, "PermanentRedirect", .wrongRegion("eu-central-1")),
        (400, "AuthorizationHeaderMalformed", .wrongRegion("eu-central-1")),
        (412, "PreconditionFailed", .changed(key)),
        (416, "InvalidRange", .changed(key)),
        (400, "EntityTooLarge", .refused(S3ErrorResponse(status: 400, code: "EntityTooLarge", message: "m"))),
        (501, "NotImplemented", .refused(S3ErrorResponse(status: 501, code: "NotImplemented", message: "m"))),
        (302, "Found", .malformedResponse(status: 302, "The status is not expected.")),
    ])
    func `a refusal is thrown without a retry`(_ status: Int, _ code: String, _ error: ContentStorageError) async throws {
        let timer = InstantTimer()
        let (storage, transport) = try Sample.storage(timer: timer) { _, _ in
            .error(status, code, headers: ["x-amz-bucket-region": "eu-central-1"])
        }
        await #expect(throws: error) { try await storage.read(Self.content) }
        #expect(transport.all.count == 1 && timer.delays.isEmpty && !error.description.isEmpty)
        #expect(error.isRetryable == [.changed(Self.key)].contains(error))
    }

    @Test(arguments: [
        (503, "SlowDown"), (503, "ServiceUnavailable"), (500, "InternalError"), (400, "RequestTimeout"), (429, "TooManyRequests"),
        (502, "BadGateway"), (409, "OperationAborted"),
    ])
    func `a temporary failure is repeated until the attempts are used up`(_ status: Int, _ code: String) async throws {
        let timer = InstantTimer()
        let (storage, transport) = try Sample.storage(timer: timer) { _, _ in .error(status, code) }
        let error = ContentStorageError.unavailable(.serverError(S3ErrorResponse(status: status, code: code, message: "m")))
        await #expect(throws: error) { try await storage.list(.all, after: nil, limit: 10) }
        #expect(transport.all.count == 5 && timer.delays.count == 4 && error.isRetryable)
    }

    @Test(arguments: [S3TransportError.notConnected, .noResponse]) func `a network error is repeated`(_ error: S3TransportError)
        async throws
    {
        let (storage, transport) = try Sample.storage { _, number throws(S3TransportError) in
            if number < 3 { throw error }
            return S3TransportResponse(204)
        }
        try await storage.delete(Self.key)
        #expect(transport.all.count == 3)
    }

    @Test func `a delay that the bucket requests is kept, and ends the call if it exceeds the budget`() async throws {
        for (seconds, expected) in [("7", 4), ("1000", 0), ("-1", 4), ("9223372036854775807", 0), ("soon", 4)] {
            let timer = InstantTimer()
            let (storage, _) = try Sample.storage(timer: timer) { _, _ in .error(503, "SlowDown", headers: ["retry-after": seconds]) }
            await #expect(throws: ContentStorageError.self) { try await storage.delete(Self.key) }
            #expect(timer.delays.count == expected, "\(seconds)")
            if seconds == "7" { #expect(timer.delays.allSatisfy { $0 >= .seconds(7) }) }
        }
    }

    @Test(arguments: [
        (Duration.seconds(1), 0.0, 1, Duration.milliseconds(500)), (.seconds(1), 1.0, 1, .seconds(1)), (.seconds(1), 1.0, 3, .seconds(4)),
        (.seconds(1), 1.0, 6, .seconds(20)), (.zero, 1.0, 2, .zero), (.seconds(-3), 1.0, 2, .zero), (.seconds(1), .nan, 1, .seconds(1)),
        (.seconds(1), -7.0, 1, .milliseconds(500)), (.seconds(Int64.max), 1.0, 1, .seconds(20)),
    ])
    func `the delay doubles up to a maximum`(_ initial: Duration, _ jitter: Double, _ attempt: Int, _ delay: Duration) {
        var policy = S3RetryPolicy()
        (policy.initialDelay, policy.maximumAttempts) = (initial, 10)
        var schedule = S3RetrySchedule(policy)
        var last: Duration?
        for _ in 0..<attempt { last = schedule.delay(after: .unavailable(.noResponse), elapsed: .zero, jitter: jitter) }
        #expect(last == delay)
    }

    @Test func `a policy without retries sends each request once`() async throws {
        let (storage, transport) = try Sample.storage(retries: .never) { _, _ in .error(500, "InternalError") }
        await #expect(throws: ContentStorageError.self) { try await storage.delete(Self.key) }
        #expect(transport.all.count == 1)
    }

    // MARK: Reads

    @Test func `an interrupted read continues at the first missing byte`() async throws {
        let (storage, transport) = try Sample.storage { request, number in
            switch number {
            case 1: S3TransportResponse(206, ["content-range": "bytes 2-8/10"], chunks: ["23", "4"], then: .noResponse)
            case 2: .error(503, "SlowDown")
            case 3: S3TransportResponse(206, ["content-range": "bytes 5-8/10"], chunks: ["5"])
            default: S3TransportResponse(206, ["content-range": "bytes 6-8/10"], chunks: ["678"])
            }
        }
        #expect(try await storage.read(Self.content, range: 2..<9).data == Data("2345678".utf8))
        #expect(transport.all.map { $0.headers["range"] } == ["bytes=2-8", "bytes=5-8", "bytes=5-8", "bytes=6-8"])
        #expect(transport.all.allSatisfy { $0.headers["if-match"] == "\"e\"" })
    }

    @Test func `a read continues after a pause of the reader that is longer than the budget`() async throws {
        let timer = InstantTimer()
        let (storage, transport) = try Sample.storage(timer: timer) { _, number in
            number == 1
                ? S3TransportResponse(206, ["content-range": "bytes 0-9/10"], chunks: ["0123"], then: .noResponse)
                : S3TransportResponse(206, ["content-range": "bytes 4-9/10"], chunks: ["456789"])
        }
        var iterator = try await storage.read(Self.content).makeAsyncIterator()
        #expect(try await iterator.next() == ByteBuffer(string: "0123"))
        timer.advance(by: .seconds(3_600))
        #expect(try await iterator.next() == ByteBuffer(string: "456789"))
        #expect(try await iterator.next() == nil && transport.all.count == 2)
    }

    @Test func `a read that never progresses ends`() async throws {
        let (storage, transport) = try Sample.storage { _, _ in
            S3TransportResponse(206, ["content-range": "bytes 0-9/10"], chunks: [""], then: .noResponse)
        }
        let chunks = try await storage.read(Self.content)
        await #expect(throws: ContentStorageError.unavailable(.noResponse)) { try await chunks.data }
        #expect(transport.all.count == 5)
    }

    @Test(arguments: [
        S3TransportResponse(206, ["content-range": "bytes 1-9/10"], chunks: ["123456789"]),
        S3TransportResponse(206, [:], chunks: ["0123456789"]), S3TransportResponse(206, ["content-range": "bytes"], chunks: ["0"]),
        S3TransportResponse(206, ["content-range": "bytes 99999999999999999999-/x"], chunks: ["0"]), S3TransportResponse(204),
    ])
    func `a response with another range is refused`(_ response: S3TransportResponse) async throws {
        let (storage, _) = try Sample.storage { _, _ in response }
        let error = await #expect(throws: ContentStorageError.self) { try await storage.read(Self.content) }
        guard case .malformedResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a response with more bytes than the range is refused`() async throws {
        let (storage, _) = try Sample.storage { _, _ in
            S3TransportResponse(206, ["content-range": "bytes 0-9/10"], chunks: ["01234", "5678901"])
        }
        let chunks = try await storage.read(Self.content)
        await #expect(throws: ContentStorageError.truncated) { try await chunks.data }
    }

    @Test func `a slow reader requests one chunk at a time`() async throws {
        let read = Mutex(0)
        let (storage, _) = try Sample.storage { _, _ in
            S3TransportResponse(status: 206, headers: ["content-range": "bytes 0-9/10"]) {
                read.withLock { $0 += 1 }
                return ByteBuffer(string: "x")
            }
        }
        let chunks = try await storage.read(Self.content)
        #expect(read.withLock { $0 } == 0)
        var iterator = chunks.makeAsyncIterator()
        for count in 1...10 {
            _ = try await iterator.next()
            #expect(read.withLock { $0 } == count)
        }
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: [Int64(-1)..<2, 0..<11, 11..<12, Int64.min..<Int64.max]) func `a range outside an object is refused without a request`(
        _ range: Range<Int64>
    ) async throws {
        let (storage, transport) = try Sample.storage { _, _ in nil }
        await #expect(throws: ContentStorageError.invalidRange(range, length: 10)) { try await storage.read(Self.content, range: range) }
        #expect(transport.all.isEmpty)
    }

    @Test func `an empty range needs no request`() async throws {
        let (storage, transport) = try Sample.storage { _, _ in nil }
        #expect(try await storage.read(Self.content, range: 3..<3).data.isEmpty && transport.all.isEmpty)
    }

    @Test(arguments: [
        ["content-length": "-1"], ["content-length": "x"], ["content-length": "99999999999999999999"], ["last-modified": "now"],
        ["etag": ""],
        ["etag": "a\nb"],
    ])
    func `a response to HEAD with an invalid header is malformed`(_ headers: [String: String]) async throws {
        let valid = ["content-length": "1", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", "etag": "\"e\""]
        let (storage, _) = try Sample.storage { _, _ in S3TransportResponse(200, valid.merging(headers) { $1 }) }
        await #expect(throws: ContentStorageError.self) { try await storage.head(Self.key) }
    }

    @Test func `a listing that stays at one position ends with an error`() async throws {
        let (storage, transport) = try Sample.storage { _, _ in
            S3TransportResponse(
                200,
                chunks: [
                    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>"
                ])
        }
        await #expect(throws: ContentStorageError.self) { for try await _ in storage.objects() {} }
        #expect(transport.all.count == 2)
    }

    @Test func `a canceled call sends no request`() async throws {
        let (storage, transport) = try Sample.storage { _, _ in .error(500, "InternalError") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await storage.delete(Self.key)
        }
        await #expect(throws: ContentStorageError.canceled) { try await task.value }
        #expect(transport.all.isEmpty)
    }
}
