/// The limits of a server on time, connections and memory.
///
/// A download or an event stream has no deadline, as long as the client reads at least ``bytesPerSecond``.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum time that a connection stays open between two requests.
    ///
    /// Clients with a connection pool should use a shorter time; many use 60 seconds.
    public var idle: Duration
    /// The maximum time for receiving a request head, from its first byte.
    public var head: Duration
    /// The maximum time for receiving a request body.
    public var body: Duration
    /// The maximum time from the first byte of a request to the start of its response; nil for no limit.
    public var exchange: Duration?
    /// The minimum transfer rate of request bodies and responses, in bytes per second.
    public var bytesPerSecond: Int
    /// The maximum time that a request body or a response may be slower than ``bytesPerSecond``.
    public var stall: Duration
    /// The maximum number of open connections; further connections wait until the server accepts them.
    public var connections: Int
    /// The maximum number of open connections from one IPv4 address, or from one /64 network of IPv6.
    ///
    /// The server responds to further connections with 503. Behind a reverse proxy, all connections come from the address of the
    /// proxy.
    public var connectionsPerPeer: Int
    /// The maximum size of all request bodies in memory, in bytes; the server responds to a request that exceeds it with 503.
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

    /// The limits of a development server, which allow large imports, delayed responses and many clients on one host.
    public static let development = ConnectionLimits(
        head: .seconds(30), body: .seconds(600), exchange: nil, stall: .seconds(30), connections: 4_096, connectionsPerPeer: 4_096,
        bodyBytes: 512 << 20)
}
