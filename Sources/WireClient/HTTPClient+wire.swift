package import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// The one HTTP client of the process, for calls of our protocols and for content.
    ///
    /// It gives up at the first refused connection: whether to try again is decided by whoever knows what the call means,
    /// not by a pool that would go on knocking until the deadline.
    package static let wire: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(10)
        // Downloads and event streams have no deadline behind the head of their answer: a download may take hours, but not one minute
        // without a byte.
        configuration.timeout.read = .seconds(60)
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
