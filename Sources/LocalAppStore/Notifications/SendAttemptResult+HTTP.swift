import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PurchaseModel

extension SendAttemptResult {
    /// Creates the result for an HTTP response: the server accepted the notification if the status is 200 to 206.
    ///
    /// Redirects are not followed; a redirect to the notification URL itself is a circular redirect.
    ///
    /// - Parameters:
    ///   - location: The `Location` header of the response; nil if it has none.
    ///   - url: The notification URL.
    init(_ status: HTTPResponseStatus, location: String?, from url: String) {
        switch status.code {
        case 200...206: self = .success
        case 300..<400 where Self.isCircular(location, to: url): self = .circularRedirect
        default: self = .unsuccessfulStatus
        }
    }

    /// Returns whether the URL in a `Location` header, which may be relative (RFC 9110, section 10.2.2), is the URL of the request.
    private static func isCircular(_ location: String?, to url: String) -> Bool {
        guard let location, let base = URL(string: url), let target = URL(string: location, relativeTo: base) else { return false }
        return RedirectTarget(target) == RedirectTarget(base)
    }

    /// A normalized URL for comparison: without fragment and `..`, with port and path, and with scheme and host in lowercase.
    private struct RedirectTarget: Equatable {
        let scheme: String?
        let host: String?
        let port: Int
        let path: String
        let query: String?

        init?(_ url: URL) {
            guard let parts = URLComponents(url: url.absoluteURL.standardized, resolvingAgainstBaseURL: true) else { return nil }
            scheme = parts.scheme?.lowercased()
            host = parts.host?.lowercased()
            port = parts.port ?? (scheme == "https" ? 443 : 80)
            path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            query = parts.percentEncodedQuery
        }
    }

    /// Creates the result for a request that failed without a response.
    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: self.init(error)
        case let error as ChannelError: self = if case .connectTimeout = error { .noResponse } else { .socketIssue }
        case is NIOConnectionError: self = .socketIssue
        case let error as IOError: self = [ECONNRESET, EPIPE].contains(error.errnoCode) ? .prematureClose : .socketIssue
        case is HTTPParserError: self = .invalidResponse
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tlsIssue
        default: self = .other
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
        case .connectTimeout, .getConnectionFromPoolTimeout: self = .noResponse
        case .remoteConnectionClosed, .uncleanShutdown: self = .prematureClose
        case .tlsHandshakeTimeout: self = .tlsIssue
        case .redirectCycleDetected, .redirectLimitReached: self = .circularRedirect
        default: self = .other
        }
    }
}
