/// What came of one attempt to send a notification, as the App Store names it in its history.
public enum SendAttemptResult: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server took it, with a status from 200 to 206.
    case success = "SUCCESS"
    /// The server did not answer in time.
    case timedOut = "TIMED_OUT"
    /// No secure connection came about.
    case tlsIssue = "TLS_ISSUE"
    /// The server sent it on to where it came from.
    case circularRedirect = "CIRCULAR_REDIRECT"
    /// Nobody was there to answer.
    case noResponse = "NO_RESPONSE"
    /// The network failed.
    case socketIssue = "SOCKET_ISSUE"
    /// The answer was in an unknown character set.
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    /// The answer was not HTTP.
    case invalidResponse = "INVALID_RESPONSE"
    /// The server hung up before it answered.
    case prematureClose = "PREMATURE_CLOSE"
    /// The server answered with another status.
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    /// Something else.
    case other = "OTHER"

    /// Whether a server answered at all, whatever it said.
    public var isAnswer: Bool {
        switch self {
        case .success, .circularRedirect, .unsupportedCharset, .invalidResponse, .unsuccessfulStatus: true
        case .timedOut, .tlsIssue, .noResponse, .socketIssue, .prematureClose, .other: false
        }
    }
}
