/// The error of a call to a storage.
///
/// A call to a bucket throws after its retries; ``isRetryable`` states whether the same call can succeed later. No case contains a
/// credential, a signature or a byte of an object.
public enum ContentStorageError: Error, Hashable, Sendable {
    /// The object does not exist.
    case notFound(ContentKey)
    /// The bucket does not exist, or belongs to another region. Check the name, the endpoint and the region.
    case bucketNotFound(String)
    /// The bucket refused the credentials: an unknown access key, a wrong secret, or an invalid or expired session token.
    case invalidCredentials(S3ErrorResponse)
    /// The credentials are valid, and do not permit the request. Extend the policy of the user or of the bucket.
    case accessDenied(S3ErrorResponse)
    /// The clock of this machine differs from the clock of the bucket by more than 15 minutes. Correct the clock.
    case clockSkewed(S3ErrorResponse)
    /// The bucket is in another region, which the payload names if the bucket states it. Correct the region in the configuration.
    case wrongRegion(String?)
    /// The bucket refused the request for another reason.
    case refused(S3ErrorResponse)
    /// The bucket cannot be reached or fails. Repeat the call later.
    case unavailable(S3Unavailability)
    /// The response with this HTTP status is not one of S3. The text names the problem. Check the endpoint and proxies.
    case malformedResponse(status: Int, String)
    /// The object was replaced or deleted since its description was returned. Call ``ContentStorage/head(_:)`` again.
    case changed(ContentKey)
    /// The range is not within the object, which has this length in bytes.
    case invalidRange(Range<Int64>, length: Int64)
    /// The bytes of the object ended too early, or continued after its length.
    case truncated
    /// The file or the object has more bytes than the limit.
    case tooLarge(length: Int64, limit: Int64)
    /// A file or a folder cannot be read or written; the number is the value of `errno`, such as `ENOSPC`.
    case file(path: String, errorNumber: Int32)
    /// The file changed while it was stored, so nothing was stored. Repeat the call after the change.
    case fileChanged(path: String)
    /// The task of the call was canceled.
    case canceled

    /// Whether the same call can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .unavailable, .changed, .truncated, .fileChanged: true
        case .notFound, .bucketNotFound, .invalidCredentials, .accessDenied, .clockSkewed, .wrongRegion, .refused, .malformedResponse,
            .invalidRange, .tooLarge, .file, .canceled:
            false
        }
    }
}

/// The reason why a bucket is unavailable.
public enum S3Unavailability: Hashable, Sendable {
    /// The connection failed, so the request was not sent.
    case notConnected
    /// The request was sent, and no complete response arrived in time.
    case noResponse
    /// The bucket responded with a status of 500 or more, or limits the rate of requests (`SlowDown`, status 429).
    case serverError(S3ErrorResponse)
}

/// An error response of a bucket.
///
/// Source: [Error responses](https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
public struct S3ErrorResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The error code, such as `SlowDown`, at most 100 characters; nil for a response without a code, such as one to `HEAD`.
    public var code: String?
    /// The description of the error for people, at most 300 characters without control characters; nil if the response has none.
    public var message: String?

    /// Creates an error response.
    public init(status: Int, code: String? = nil, message: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
    }
}
