import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension ContentStorageError: CustomStringConvertible {
    /// What failed, and what to do next.
    public var description: String {
        switch self {
        case .notFound(let key):
            "The storage has no object \(key)."
        case .bucketNotFound(let bucket):
            "The bucket \(bucket) does not exist. Check the name, the endpoint and the region."
        case .invalidCredentials(let response):
            "The bucket refused the credentials: \(response). Check the access key, the secret and the session token."
        case .accessDenied(let response):
            "The credentials do not permit the request: \(response). Extend the policy of the user or of the bucket."
        case .clockSkewed(let response):
            "The bucket refused the time of the request: \(response). Correct the clock of this machine."
        case .wrongRegion(let region?):
            "The bucket is in the region \(region). Correct the region in the configuration."
        case .wrongRegion(nil):
            "The bucket is in another region. Correct the region in the configuration."
        case .refused(let response):
            "The bucket refused the request: \(response)."
        case .unavailable(let reason):
            "The bucket is unavailable: \(reason)"
        case .malformedResponse(let status, let problem):
            "The response (HTTP \(status)) is not one of S3: \(problem) Check the endpoint and proxies."
        case .changed(let key):
            "The object \(key) was replaced or deleted. Read it again from the beginning."
        case .invalidRange(let range, let length):
            "The range from \(range.lowerBound) to \(range.upperBound) is not within the object's \(length) bytes."
        case .truncated:
            "The number of bytes differs from the object's length. Read the range again."
        case .tooLarge(let length, let limit):
            "\(length) bytes exceed the limit of \(limit) bytes."
        case .file(let path, let errorNumber):
            unsafe "\(path): \(String(cString: strerror(errorNumber)))"
        case .fileChanged(let path):
            "The file \(path) changed while it was stored. Store it again."
        case .canceled:
            "The call was canceled."
        }
    }
}

extension S3Unavailability: CustomStringConvertible {
    /// The reason, and what to do next.
    public var description: String {
        switch self {
        case .notConnected: "the connection failed. Check the network and the endpoint."
        case .noResponse: "no complete response arrived. Repeat the call later."
        case .serverError(let response): "\(response). Repeat the call later."
        }
    }
}

extension S3ErrorResponse: CustomStringConvertible {
    /// The status, the code and the message.
    public var description: String {
        var parts = ["HTTP \(status)"]
        if let code { parts.append(code) }
        if let message { parts.append("“\(message)”") }
        return parts.joined(separator: ", ")
    }
}
