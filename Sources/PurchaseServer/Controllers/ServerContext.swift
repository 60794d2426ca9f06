public import Hummingbird
import NIOCore

/// What a request of the server comes with: besides what every request has, the event loop of its connection.
public struct ServerContext: RequestContext {
    /// What every request has.
    public var coreContext: CoreRequestContextStorage
    /// The thread that writes to the connection; see `Response.content`.
    let eventLoop: any EventLoop

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        eventLoop = source.channel.eventLoop
    }
}
