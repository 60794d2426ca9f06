public import Configuration
public import WireServer

extension ConnectionLimits {
    /// Reads the connection limits from a configuration; without a key, the default applies.
    ///
    /// | key | type | meaning; default |
    /// |---|---|---|
    /// | `limits.idle-seconds` | number | maximum time of a connection between two requests; 75 |
    /// | `limits.head-seconds` | number | maximum time for a request's head; 10 |
    /// | `limits.body-seconds` | number | maximum time for a request's body; 60 |
    /// | `limits.exchange-seconds` | number | maximum time from a request to the start of its response; 120 |
    /// | `limits.bytes-per-second` | integer | minimum transfer rate of bodies and responses; 1024 |
    /// | `limits.stall-seconds` | number | maximum time below the minimum transfer rate; 10 |
    /// | `limits.connections` | integer | maximum number of open connections; 800 |
    /// | `limits.connections-per-peer` | integer | maximum number of open connections from one address, such as a reverse proxy's; 256 |
    /// | `limits.body-bytes` | integer | maximum size of all request bodies in memory; 67108864 |
    /// | `limits.shutdown-seconds` | number | maximum wait of a shutdown for open requests; 10 |
    ///
    /// - Throws: ``ConfigurationError/limit(key:)`` if a value is not a number or is out of range.
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

    /// Reads a duration in seconds, from 0.001 to 86,400; returns nil for a missing key.
    private static func duration(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Duration? {
        guard let seconds = try number(key, reader) else { return nil }
        guard (0.001...86_400).contains(seconds) else { throw .limit(key: "limits.\(key)") }
        return .seconds(seconds)
    }

    /// Reads an integer from 1 to a billion; returns nil for a missing key.
    private static func count(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Int? {
        guard let number = try number(key, reader) else { return nil }
        guard let count = Int(exactly: number), (1...1_000_000_000).contains(count) else { throw .limit(key: "limits.\(key)") }
        return count
    }

    /// Reads a number, which is text in the environment, and text or a number in a file; returns nil for a missing key.
    private static func number(_ key: String, _ reader: ConfigReader) throws(ConfigurationError) -> Double? {
        let key = ConfigKey(key)
        if let number = reader.int(forKey: key).map(Double.init) ?? reader.double(forKey: key) { return number }
        guard let text = reader.string(forKey: key) else {
            // Refuse a value of another type, for which `ConfigReader` returns nil as for a missing key.
            guard reader.bool(forKey: key) == nil, reader.stringArray(forKey: key) == nil else { throw .limit(key: "limits.\(key)") }
            return nil
        }
        guard let number = Double(text) else { throw .limit(key: "limits.\(key)") }
        return number
    }
}
