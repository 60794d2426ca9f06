import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PurchaseModel

extension SendAttemptResult {
    /// What an answer says: the statuses 200 to 206 that the notification was taken.
    ///
    /// A redirect is not followed; one that leads back to where it comes from has a name of its own.
    init(_ status: HTTPResponseStatus, location: String?, from url: String) {
        switch status.code {
        case 200...206: self = .success
        case 300..<400 where location == url: self = .circularRedirect
        default: self = .unsuccessfulStatus
        }
    }

    /// What it means that there is no answer.
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
