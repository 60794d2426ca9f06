package import Logging
package import NIOCore
import NIOHTTP1
import Synchronization

/// Logs refusals that anyone can cause, few in an interval, so that a refused client is explained and a hostile one fills no log.
///
/// The first refusal is logged at once, and the first one after the interval with the number of refusals in between.
package final class LimitLog: Sendable {
    /// The interval in which a limit is logged once.
    package static let interval = TimeAmount.seconds(60)

    private struct Entry {
        let start: NIODeadline
        var count = 1
    }

    private let logger: Logger
    private let now: @Sendable () -> NIODeadline
    // reason: the keys are names of limits, and codes of refusals with names of configured apps.
    private let entries = Mutex<[String: Entry]>([:])

    /// Creates a log of limits.
    package init(_ logger: Logger, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.logger = logger
        self.now = now
    }

    /// Reports that a limit refused a client.
    ///
    /// - Parameters:
    ///   - limit: The key of the limit in the configuration, such as `limits.connections-per-peer`.
    ///   - peer: The address of the client; nil for a limit that all clients share.
    ///   - reason: The code of the refusal.
    package func report(_ limit: String, peer: String?, reason: String) {
        guard let suppressed = count(limit) else { return }
        var metadata: Logger.Metadata = ["limit": "\(limit)", "reason": "\(reason)", "since-last-entry": "\(suppressed)"]
        metadata["peer"] = peer.map { "\($0)" }
        logger.warning("a limit refused a client; further refusals are counted for a minute", metadata: metadata)
    }

    /// Reports bytes that are not an HTTP request, and that therefore have no route.
    ///
    /// - Parameters:
    ///   - error: The error of the parser, which contains no data.
    ///   - peer: The address of the client.
    ///   - request: The identifier in the response.
    func reportMalformed(_ error: HTTPParserError, peer: String?, request: String) {
        guard let suppressed = count("malformed requests") else { return }
        var metadata: Logger.Metadata = ["hb.request.id": "\(request)", "reason": "\(error)", "since-last-entry": "\(suppressed)"]
        metadata["peer"] = peer.map { "\($0)" }
        logger.info("bytes that are not an HTTP request were refused; further ones are counted for a minute", metadata: metadata)
    }

    /// Counts a refusal; returns the number of refusals without an entry since the last one, nil if this refusal gets no entry.
    ///
    /// - Parameters:
    ///   - key: What the refusals have in common. The number of different keys must be limited.
    ///   - maximum: The number of entries in an interval.
    package func count(_ key: String, upTo maximum: Int = 1) -> Int? {
        entries.withLock { entries in
            let now = now()
            guard var entry = entries[key], now < entry.start + Self.interval else {
                defer { entries[key] = Entry(start: now) }
                return entries[key].map { max(0, $0.count - maximum) } ?? 0
            }
            entry.count += 1
            entries[key] = entry
            return entry.count <= maximum ? 0 : nil
        }
    }
}
