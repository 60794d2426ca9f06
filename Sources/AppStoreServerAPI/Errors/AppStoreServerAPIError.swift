public import PurchaseModel

/// The error of a call to the App Store Server API.
///
/// A call throws after its retries. ``isRetryable`` states whether the same call can succeed later, and ``mayHaveBeenProcessed`` whether a
/// repetition can have a second effect. No case contains the key, the token or a signed payload.
public enum AppStoreServerAPIError: Error, Hashable, Sendable {
    /// The App Store refused the request, usually with an error code. Correct the request; only some codes are retryable.
    case api(ServerAPIErrorResponse)
    /// The App Store refused the token (status 401).
    ///
    /// `clockSkew` is the number of seconds by which the local clock is ahead of the App Store's clock, negative if it is behind; nil if the
    /// clocks differ by at most a minute, or if the response has no date. With a clock skew, correct the clock of this machine. Without one,
    /// check the issuer identifier, the key identifier, the key, and that the bundle identifier belongs to the account of the key.
    case unauthorized(clockSkew: Int64?)
    /// The app exceeded the rate limit of the endpoint (status 429).
    ///
    /// `until` is the time of the next permitted request by the local clock; nil if the response does not state a usable time.
    case rateLimited(until: Timestamp?)
    /// The App Store cannot be reached or fails. Repeat the call later.
    case unavailable(ServerAPIUnavailability)
    /// The response with this HTTP status is not one that the App Store sends. Check the base URL and proxies between here and the server.
    ///
    /// The text names the problem and the place in the JSON.
    case malformedResponse(status: Int, String)
    /// The request cannot be sent; the text states the reason. Correct the arguments of the call.
    case invalidRequest(String)
    /// The task of the call was canceled.
    case canceled

    /// The error of the App Store Server API; nil for other errors and for unknown error codes.
    public var apiError: ServerAPIError? {
        switch self {
        case .api(let response), .unavailable(.serverError(let response)): response.error
        case .rateLimited: .rateLimitExceeded
        case .unauthorized, .unavailable, .malformedResponse, .invalidRequest, .canceled: nil
        }
    }

    /// Whether the same call can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .api(let response): response.error?.isRetryable ?? false
        case .rateLimited, .unavailable: true
        case .unauthorized, .malformedResponse, .invalidRequest, .canceled: false
        }
    }

    /// Whether the App Store may have performed the request despite the error.
    ///
    /// Check this before you repeat `extendSubscriptionRenewalDate` or `requestTestNotification`, which have a second effect.
    public var mayHaveBeenProcessed: Bool {
        switch self {
        case .unavailable(.noResponse), .unavailable(.serverError), .malformedResponse, .canceled: true
        case .api, .unauthorized, .rateLimited, .unavailable, .invalidRequest: false
        }
    }
}

/// The reason why the App Store Server API is unavailable.
public enum ServerAPIUnavailability: Hashable, Sendable {
    /// The connection failed, so the request was not sent.
    case notConnected
    /// The request was sent, and no complete response arrived in time. The App Store may have processed the request.
    case noResponse
    /// The App Store responded with a status of 500 or more.
    case serverError(ServerAPIErrorResponse)
    /// The calls before this one failed, so the client sends no request until this time by the local clock.
    case circuitOpen(until: Timestamp)
}

/// An error response of the App Store Server API.
public struct ServerAPIErrorResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The error code, such as 4040010, even if ``error`` does not know the code; nil for a response without an error code.
    public var code: Int64?
    /// The description of the error for people, at most 300 characters without control characters; nil if the response has none.
    public var message: String?

    /// Creates an error response.
    public init(status: Int, code: Int64? = nil, message: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// The error with the error code; nil for a response without an error code or with an unknown one.
    public var error: ServerAPIError? { code.flatMap { ServerAPIError(rawValue: $0) } }
}
