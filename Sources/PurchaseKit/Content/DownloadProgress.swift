import PurchaseModel

/// The progress of a content download.
public struct DownloadProgress: Hashable, Sendable {
    /// The state of a download.
    public enum State: Hashable, Sendable {
        /// The download waits for other downloads, or for the server's response.
        case waiting
        /// The content is being received.
        case active
        /// The person has paused the download.
        case paused
    }

    /// The state of the download.
    public internal(set) var state: State
    /// The number of bytes that are received.
    public internal(set) var received: Int64 = 0
    /// The length of the content in bytes; 0 while unknown.
    public internal(set) var length: Int64 = 0
    /// The bytes received per second, over the last ten seconds; nil during the first second and for an inactive download.
    public internal(set) var bytesPerSecond: Int64?

    /// The received part, from 0 to 1.
    public var fraction: Double { length > 0 ? min(1, Double(received) / Double(length)) : 0 }

    /// The estimated time until the content is received; nil if there is no estimate.
    public var timeRemaining: Duration? {
        guard let bytesPerSecond, bytesPerSecond > 0, received <= length else { return nil }
        return .seconds((length - received) / bytesPerSecond)
    }
}

/// The rate of a download, from its progress in the last ten seconds.
struct DownloadRate: Sendable {
    private static let window: Int64 = 10_000
    /// The minimum milliseconds between two samples, which limits the number of samples.
    private static let interval: Int64 = 250
    private static let shortest: Int64 = 1_000

    private var samples: [(date: Timestamp, received: Int64)] = []
    private var latest: (date: Timestamp, received: Int64)?

    /// Adds a sample: the number of bytes that were received until a date.
    mutating func add(_ received: Int64, at date: Timestamp) {
        // Discard the samples after the clock was set back or the download began again.
        if let latest, date < latest.date || received < latest.received { samples = [] }
        latest = (date, received)
        if samples.last.map({ date.milliseconds(since: $0.date) >= Self.interval }) ?? true { samples.append((date, received)) }
        while samples.count > 2, date.milliseconds(since: samples[1].date) >= Self.window { samples.removeFirst() }
    }

    /// The received bytes per second; nil until a second has passed.
    var bytesPerSecond: Int64? {
        guard let first = samples.first, let latest else { return nil }
        let elapsed = latest.date.milliseconds(since: first.date)
        guard elapsed >= Self.shortest else { return nil }
        let rate = (Double(latest.received) - Double(first.received)) / Double(elapsed) * 1_000
        return Int64(exactly: rate.rounded())
    }
}
