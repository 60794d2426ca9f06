extension ContentStorageError {
    /// Creates the error of a call from the error of its transport.
    init(_ error: S3TransportError) {
        self =
            switch error {
            case .notConnected: .unavailable(.notConnected)
            case .noResponse: .unavailable(.noResponse)
            case .body(let error): error
            case .canceled: .canceled
            }
    }

    /// Creates the error of a call from an error response.
    ///
    /// Source: [List of error codes](https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList).
    ///
    /// - Parameters:
    ///   - key: The key of the request; nil for a request about the bucket.
    ///   - bucket: The name of the bucket.
    ///   - region: The region that the response states; nil without one.
    init(_ response: S3ErrorResponse, key: ContentKey?, bucket: String, region: String?) {
        self =
            switch response.code {
            case "NoSuchBucket": .bucketNotFound(bucket)
            case "NoSuchKey": key.map { .notFound($0) } ?? .refused(response)
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "InvalidSecurity":
                .invalidCredentials(response)
            case "RequestTimeTooSkewed": .clockSkewed(response)
            case "AccessDenied", "AllAccessDisabled", "AccountProblem": .accessDenied(response)
            case "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraintException", "AuthorizationHeaderMalformed":
                .wrongRegion(region)
            case "PreconditionFailed", "InvalidRange": key.map { .changed($0) } ?? .refused(response)
            case "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "OperationAborted", "ConditionalRequestConflict":
                .unavailable(.serverError(response))
            default: Self.withoutKnownCode(response, key: key, bucket: bucket, region: region)
            }
    }

    /// Returns the error for a status alone, as `HEAD` has no body.
    private static func withoutKnownCode(
        _ response: S3ErrorResponse, key: ContentKey?, bucket: String, region: String?
    ) -> ContentStorageError {
        switch response.status {
        case 301, 307: .wrongRegion(region)
        case 403 where response.code == nil: .accessDenied(response)
        case 404 where response.code == nil: key.map { .notFound($0) } ?? .bucketNotFound(bucket)
        case 412, 416: key.map { .changed($0) } ?? .refused(response)
        case 429: .unavailable(.serverError(response))
        // Repeating a request that the server does not implement can't succeed.
        case 501: .refused(response)
        case 400..<500: .refused(response)
        case 500..<600: .unavailable(.serverError(response))
        default: .malformedResponse(status: response.status, "The status is not expected.")
        }
    }
}
