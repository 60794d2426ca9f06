package import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// The process's only HTTP client, for calls of our protocols and for content.
    ///
    /// The client fails at the first refused connection. The caller decides whether to retry, because only the caller knows the effect of
    /// a repeated call; a connection pool would retry until the deadline.
    package static let wire: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(10)
        // Downloads and event streams have no deadline after the head of the response, because a download may take hours. They end
        // after a minute without a byte.
        configuration.timeout.read = .seconds(60)
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
