import Foundation
import FoundationExtras
import NIOCore
import NIOFoundationCompat
import PurchaseModel

/// Signs and sends the requests of a storage, and translates errors.
struct S3Client: Sendable {
    let configuration: S3Configuration
    let transport: any S3Transport
    let clock: any WallClock
    let timer: any Clock<Duration>

    /// A response whose body is not read yet.
    struct Response: Sendable {
        let status: Int
        let headers: [String: String]
        let read: S3TransportResponse.Read
    }

    /// The attempts of one request, and the time since the first one.
    struct Attempts {
        private var schedule: S3RetrySchedule
        private let elapsed: @Sendable () -> Duration
        private let timer: any Clock<Duration>

        init(_ client: S3Client) {
            schedule = S3RetrySchedule(client.configuration.retries)
            elapsed = Self.stopwatch(client.timer)
            timer = client.timer
        }

        private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }

        /// Waits before the next attempt, or throws the error if it is final.
        mutating func wait(after error: ContentStorageError, retryAfter: Int64? = nil) async throws(ContentStorageError) {
            let delay = schedule.delay(after: error, retryAfter: retryAfter, elapsed: elapsed(), jitter: Double.random(in: 0...1))
            guard let delay else { throw error }
            do { try await timer.sleep(for: delay) } catch { throw .canceled }
        }
    }

    /// Sends a request until it succeeds or must not be repeated, and reads the complete response into memory.
    func exchange(_ request: S3Request) async throws(ContentStorageError) -> (response: Response, body: Data) {
        var attempts = Attempts(self)
        while true {
            let (retryAfter, error): (Int64?, ContentStorageError)
            do throws(ContentStorageError) {
                let response = try await send(request)
                let body = try await body(of: response)
                guard let failure = failure(response, body, of: request) else { return (response, body) }
                (retryAfter, error) = (response.headers["retry-after"].flatMap { Int64($0) }, failure)
            } catch {
                try await attempts.wait(after: error)
                continue
            }
            try await attempts.wait(after: error, retryAfter: retryAfter)
        }
    }

    /// Sends a request once, and returns a successful response before its body is read.
    func open(_ request: S3Request) async throws(ContentStorageError) -> Response {
        let response = try await send(request)
        guard (200..<300).contains(response.status) else {
            let body = try await body(of: response)
            throw failure(response, body, of: request) ?? .malformedResponse(status: response.status, "The status is not expected.")
        }
        return response
    }

    /// Signs and sends a request once.
    private func send(_ request: S3Request) async throws(ContentStorageError) -> Response {
        if Task.isCancelled { throw .canceled }
        let address = configuration.address
        let subject = SignatureV4.Subject(
            method: request.method, path: address.path(of: request.key), query: request.query,
            headers: request.headers.merging(["host": address.host]) { $1 })
        let headers = signature.headers(of: subject, payload: request.payload ?? SignatureV4.unsignedPayload, at: clock.now)
        let query = request.query.text
        let message = S3TransportRequest(
            method: request.method, url: address.origin + subject.path + (query.isEmpty ? "" : "?\(query)"), headers: headers,
            body: request.body, timeout: timeout + request.transferTime)
        do throws(S3TransportError) {
            let response = try await transport.send(message)
            return Response(status: response.status, headers: response.headers, read: response.read)
        } catch {
            throw ContentStorageError(error)
        }
    }

    /// The time limit of an attempt, at most a day.
    private var timeout: Duration { min(max(configuration.timeout, .zero), .seconds(86_400)) }

    /// The signer of requests.
    var signature: SignatureV4 { SignatureV4(credentials: configuration.credentials, region: configuration.region) }

    /// Reads the body of a response within the time limit.
    private func body(of response: Response) async throws(ContentStorageError) -> Data {
        do {
            return try await withDeadline(timeout) { try await Self.collect(response) }
        } catch let error as ContentStorageError {
            throw error
        } catch {
            throw error is DeadlineExceeded ? .unavailable(.noResponse) : .canceled
        }
    }

    private static func collect(_ response: Response) async throws(ContentStorageError) -> Data {
        var data = Data()
        do throws(S3TransportError) {
            while let chunk = try await response.read() {
                guard data.count + chunk.readableBytes <= S3XML.maximumLength else { break }
                data.append(Data(buffer: chunk))
            }
        } catch {
            throw ContentStorageError(error)
        }
        return data
    }

    /// Returns the error that a response states; nil for a successful response.
    ///
    /// A response to the completion of an upload can have the status 200 and the body of an error.
    private func failure(_ response: Response, _ body: Data, of request: S3Request) -> ContentStorageError? {
        let isSuccess = (200..<300).contains(response.status)
        if isSuccess, request.method != "POST" { return nil }
        let document = body.isEmpty ? nil : S3XML(body)
        if isSuccess, document?.name != "Error" { return nil }
        let error = S3ErrorResponse(
            status: response.status, code: printable(document?["Code"], 100), message: printable(document?["Message"], 300))
        let region = printable(document?["Region"] ?? response.headers["x-amz-bucket-region"], 64)
        return ContentStorageError(error, key: request.key, bucket: configuration.bucket, region: region)
    }

    /// Returns a text that is safe to print and to log; nil for an empty text, and for one with a credential.
    private func printable(_ text: String?, _ limit: Int) -> String? {
        guard let text, !configuration.credentials.occur(in: text) else { return nil }
        var result = ""
        result.unicodeScalars.append(contentsOf: text.unicodeScalars.filter { !IdentifierText.isControl($0) }.prefix(limit))
        return result.isEmpty ? nil : result
    }
}
