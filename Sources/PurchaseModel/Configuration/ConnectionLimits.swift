/// How long a client may take, and how much of a server it may hold.
///
/// A client that reads what it is sent is never cut off, however long an answer takes: downloads and event streams have no deadline.
public struct ConnectionLimits: Hashable, Sendable {
    /// How long a connection may stay open between two requests.
    ///
    /// Clients that pool connections should close theirs first: many wait 60 s.
    public var idle: Duration
    /// How long a request's head may take, from its first byte.
    public var head: Duration
    /// How long the server waits for a request's body in all.
    public var body: Duration
    /// How long a request may take from its first byte to the beginning of its answer; nil for as long as the answer needs.
    public var exchange: Duration?
    /// How many bytes a second a body has to bring, and an answer has to be read with.
    public var bytesPerSecond: Int
    /// How long a body or an answer may fall behind ``bytesPerSecond``.
    public var stall: Duration
    /// How many connections are open at a time; further ones wait to be accepted.
    public var connections: Int
    /// How many of them come from one address, or from one /64 network of IPv6; further ones are answered with 503.
    ///
    /// Behind a reverse proxy every connection comes from the proxy.
    public var connectionsPerPeer: Int
    /// How many bytes of bodies are in memory at a time, of all requests together; a request beyond it is answered with 503.
    public var bodyBytes: Int
    /// How long connections may hold up the end of the process.
    public var shutdown: Duration

    /// The limits of a server that strangers reach.
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

    /// The limits of a server for one developer: large imports, faults that delay answers, and many clients of one machine pass.
    public static let development = ConnectionLimits(
        head: .seconds(30), body: .seconds(600), exchange: nil, stall: .seconds(30), connections: 4_096, connectionsPerPeer: 4_096,
        bodyBytes: 512 << 20)
}
