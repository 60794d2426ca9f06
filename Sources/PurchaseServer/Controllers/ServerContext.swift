public import Hummingbird
import NIOCore

/// The context of a request: Hummingbird's standard context, and the event loop of the connection.
public struct ServerContext: RequestContext {
    /// Hummingbird's standard context.
    public var coreContext: CoreRequestContextStorage
    /// The event loop of the connection, on which `Response.content` writes files.
    let eventLoop: any EventLoop

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        eventLoop = source.channel.eventLoop
    }
}
