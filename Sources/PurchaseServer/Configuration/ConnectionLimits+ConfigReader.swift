public import Configuration
public import PurchaseModel
import WireServer

extension ConnectionLimits {
    /// Reads the limits of connections; a key that is missing leaves the default of `ConnectionLimits`.
    ///
    /// | key | type | |
    /// |---|---|---|
    /// | `limits.idle-seconds` | number | how long a connection may stay open between two requests; 75 |
    /// | `limits.head-seconds` | number | how long a request's head may take; 10 |
    /// | `limits.body-seconds` | number | how long the server waits for a request's body; 60 |
    /// | `limits.exchange-seconds` | number | how long a request may take until its answer begins; 120 |
    /// | `limits.bytes-per-second` | whole number | how fast a body has to come and an answer has to be read; 1024 |
    /// | `limits.stall-seconds` | number | how long either may fall behind; 10 |
    /// | `limits.connections` | whole number | how many connections are open at a time; 800 |
    /// | `limits.connections-per-peer` | whole number | how many of them come from one address; 256. Behind a reverse proxy every connection comes from the proxy |
    /// | `limits.body-bytes` | whole number | how many bytes of bodies are in memory at a time; 67108864 |
    /// | `limits.shutdown-seconds` | number | how long requests at hand may hold up the end of the process; 10 |
    ///
    /// - Throws: ``ConfigurationError/limit(key:)``.
    public init(reader: ConfigReader) throws(ConfigurationError) {
        self.init()
        let limits = reader.scoped(to: "limits")
        idle = try Self.duration("idle-seconds", limits) ?? idle
        head = try Self.duration("head-seconds", limits) ?? head
        body = try Self.duration("body-seconds", limits) ?? body
        exchange = try Self.duration("exchange-seconds", limits) ?? exchange
        bytesPerSecond = try Self.count("bytes-per-second", limits) ?? bytesPerSecond
        stall = try Self.duration("stall-seconds", limits) ?? stall
        connections = try Self.count("connections", limits) ?? connections
        connectionsPerPeer = try Self.count("connections-per-peer", limits) ?? connectionsPerPeer
        bodyBytes = try Self.count("body-bytes", limits) ?? bodyBytes
        shutdown = try Self.duration("shutdown-seconds", limits) ?? shutdown
    }

    /// A thousandth of a second to a day.
    private static func duration(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Duration? {
        guard let seconds = try number(key, reader) else { return nil }
        guard (0.001...86_400).contains(seconds) else { throw .limit(key: "limits.\(key)") }
        return .seconds(seconds)
    }

    /// 1 to a billion.
    private static func count(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Int? {
        guard let number = try number(key, reader) else { return nil }
        guard let count = Int(exactly: number), (1...1_000_000_000).contains(count) else { throw .limit(key: "limits.\(key)") }
        return count
    }

    /// A number as text, which it is in the environment, or as a number, which it may be in a file.
    private static func number(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Double? {
        let key = ConfigKey(key)
        if let number = reader.int(forKey: key).map(Double.init) ?? reader.double(forKey: key) { return number }
        guard let text = reader.string(forKey: key) else {
            // The reader answers nil for a value of another type as well.
            guard reader.bool(forKey: key) == nil, reader.stringArray(forKey: key) == nil else { throw .limit(key: "limits.\(key)") }
            return nil
        }
        guard let number = Double(text) else { throw .limit(key: "limits.\(key)") }
        return number
    }
}
