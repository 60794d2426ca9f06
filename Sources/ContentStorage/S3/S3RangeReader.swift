import FoundationExtras
import NIOCore
import PurchaseModel

/// Reads a range of an object, and continues at the first missing byte if the connection ends too early.
///
/// Each request has `If-Match` with the entity tag of the object, so that the bytes of two versions are never mixed.
actor S3RangeReader {
    private let client: S3Client
    private let content: StoredContent
    private let end: Int64
    private var position: Int64
    private var response: S3Client.Response?
    /// The attempts since the first failure after the last chunk; nil without a failure.
    ///
    /// The time of a slow reader does not count.
    private var attempts: S3Client.Attempts?

    init(_ client: S3Client, _ content: StoredContent, _ range: Range<Int64>) {
        self.client = client
        self.content = content
        end = range.upperBound
        position = range.lowerBound
    }

    /// Requests the remaining range, until a response arrives or the error is final.
    func open() async throws(ContentStorageError) {
        while response == nil, position < end {
            let failure: ContentStorageError
            do throws(ContentStorageError) {
                response = try await request()
                return
            } catch {
                failure = error
            }
            try await retry(after: failure)
        }
    }

    /// Returns the next chunk; nil at the end of the range.
    func next() async throws(ContentStorageError) -> ByteBuffer? {
        while position < end {
            try await open()
            guard let response else { return nil }
            let failure: ContentStorageError
            do throws(S3TransportError) {
                if let chunk = try await response.read() {
                    position += Int64(chunk.readableBytes)
                    if chunk.readableBytes > 0 { attempts = nil }
                    return chunk
                }
                failure = .unavailable(.noResponse)
            } catch {
                failure = ContentStorageError(error)
            }
            self.response = nil
            try await retry(after: failure)
        }
        response = nil
        return nil
    }

    private func retry(after error: ContentStorageError) async throws(ContentStorageError) {
        var attempts = attempts ?? S3Client.Attempts(client)
        defer { self.attempts = attempts }
        try await attempts.wait(after: error)
    }

    private func request() async throws(ContentStorageError) -> S3Client.Response {
        let headers = ["range": "bytes=\(position)-\(end - 1)", "if-match": content.entityTag]
        let response = try await client.open(S3Request("GET", content.key, headers: headers))
        let range = ResumedRange(status: response.status) { response.headers[$0.lowercased()] }
        // A server without ranges sends the whole object.
        let isExpected =
            response.status == 206
            ? range.offset == position : response.status == 200 && position == 0 && end == content.length
        guard isExpected else {
            throw .malformedResponse(status: response.status, "The response has another range than the request.")
        }
        return response
    }
}
