/// One attempt to send a notification, as in the App Store's notification history.
public struct SendAttempt: Codable, Hashable, Sendable {
    /// The date of the attempt, according to the store's clock.
    public var attemptDate: Timestamp
    /// The text of the result, such as `SUCCESS`.
    ///
    /// The App Store can send a result that is unknown to ``SendAttemptResult``.
    public var rawSendAttemptResult: String

    private enum CodingKeys: String, CodingKey {
        case attemptDate
        case rawSendAttemptResult = "sendAttemptResult"
    }

    /// Creates an attempt.
    public init(attemptDate: Timestamp, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        rawSendAttemptResult = sendAttemptResult.rawValue
    }

    /// The result of the attempt; `other` for an unknown result.
    public var sendAttemptResult: SendAttemptResult {
        // The earlier name of the result.
        if rawSendAttemptResult == "SSL_ISSUE" { return .tlsIssue }
        return SendAttemptResult(rawValue: rawSendAttemptResult) ?? .other
    }
}

/// The result of one attempt to send a notification, as in the App Store's notification history.
public enum SendAttemptResult: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server accepted the notification with a status from 200 to 206.
    case success = "SUCCESS"
    /// The server did not respond in time.
    case timedOut = "TIMED_OUT"
    /// The TLS connection failed.
    case tlsIssue = "TLS_ISSUE"
    /// The server's redirects form a loop.
    case circularRedirect = "CIRCULAR_REDIRECT"
    /// The server sent no response.
    case noResponse = "NO_RESPONSE"
    /// The network connection failed.
    case socketIssue = "SOCKET_ISSUE"
    /// The response has an unsupported character set.
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    /// The response is not valid HTTP.
    case invalidResponse = "INVALID_RESPONSE"
    /// The server closed the connection before it responded.
    case prematureClose = "PREMATURE_CLOSE"
    /// The server responded with a status other than 200 to 206.
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    /// The attempt failed for another reason.
    case other = "OTHER"

    /// Whether the server responded, regardless of the response's status.
    public var isResponse: Bool {
        switch self {
        case .success, .circularRedirect, .unsupportedCharset, .invalidResponse, .unsuccessfulStatus: true
        case .timedOut, .tlsIssue, .noResponse, .socketIssue, .prematureClose, .other: false
        }
    }
}
