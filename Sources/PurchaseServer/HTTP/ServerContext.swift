public import Hummingbird
import NIOCore

/// The context of a request: Hummingbird's standard context, the connection, and the caller.
public struct ServerContext: RequestContext {
    /// Hummingbird's standard context.
    public var coreContext: CoreRequestContextStorage
    /// The event loop of the connection, on which ``DownloadStream`` writes files.
    let eventLoop: any EventLoop
    /// The address of the connection's peer, without the port; empty if the address is unknown.
    let peer: String
    /// The sender of the request, identified by the API key; nil for a request without an API key.
    var caller: Caller?

    /// Creates the context of a request on a connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        eventLoop = source.channel.eventLoop
        peer = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
