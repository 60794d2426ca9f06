/// The limits of a server on the time, the number and the memory of its connections.
///
/// A download or an event stream can last any time, as long as the client reads at least ``bytesPerSecond``.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum time that a connection stays open between two requests.
    ///
    /// Clients with a connection pool should close idle connections earlier; many close them after 60 seconds.
    public var idle: Duration
    /// The maximum time for receiving the head of a request, from its first byte to its end.
    public var head: Duration
    /// The maximum time for receiving the body of a request.
    public var body: Duration
    /// The maximum time from the first byte of a request to the start of its response; nil for no limit.
    public var exchange: Duration?
    /// The minimum transfer rate of request bodies and responses, in bytes per second.
    public var bytesPerSecond: Int
    /// The maximum time that a request body or a response may be slower than ``bytesPerSecond``.
    public var stall: Duration
    /// The maximum number of open connections; additional clients wait until a connection closes.
    public var connections: Int
    /// The maximum number of open connections from one IPv4 address, or from one /64 network of IPv6.
    ///
    /// The server responds with status 503 to each connection over this limit. Behind a reverse proxy, all connections come from the
    /// address of the proxy.
    public var connectionsPerPeer: Int
    /// The maximum size of all request bodies in memory, in bytes; the server responds with status 503 to a request that exceeds it.
    public var bodyBytes: Int
    /// The maximum time that open connections delay the shutdown of the process.
    public var shutdown: Duration

    /// Creates limits; the defaults suit a server on the public internet.
    public init(
        idle: Duration = .seconds(75), head: Duration = .seconds(10), body: Duration = .seconds(60), exchange: Duration? = .seconds(120),
        bytesPerSecond: Int = 1_024, stall: Duration = .seconds(10), connections: Int = 800, connectionsPerPeer: Int = 256,
        bodyBytes: Int = 64 << 20, shutdown: Duration = .seconds(10)
    ) {
        self.idle = idle
        self.head = head
        self.body = body
        self.exchange = exchange
        self.bytesPerSecond = bytesPerSecond
        self.stall = stall
        self.connections = connections
        self.connectionsPerPeer = connectionsPerPeer
        self.bodyBytes = bodyBytes
        self.shutdown = shutdown
    }

    /// The limits for a development server, which permit large imports, delayed responses and many clients on one host.
    public static let development = ConnectionLimits(
        head: .seconds(30), body: .seconds(600), exchange: nil, stall: .seconds(30), connections: 4_096, connectionsPerPeer: 4_096,
        bodyBytes: 512 << 20)
}
