package import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// The HTTP client that all calls of a process share, for endpoints and for downloads.
    ///
    /// A call fails at the first refused connection, although the connection pool could retry until the deadline. The caller decides
    /// whether to retry, because only the caller knows the effect of a repeated call.
    package static let wire: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(10)
        // Downloads and event streams have no deadline after the head of the response, because a download may take hours. They fail after a
        // minute in which no byte arrives.
        configuration.timeout.read = .seconds(60)
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
