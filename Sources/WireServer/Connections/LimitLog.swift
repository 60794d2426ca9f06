package import Logging
package import NIOCore
import Synchronization

/// Logs the limits that refuse clients, each once in an interval, so that a refused client is explained and a hostile one fills no log.
///
/// The first refusal is logged at once, and the first one after the interval with the number of refusals in between.
package final class LimitLog: Sendable {
    /// The interval in which a limit is logged once.
    package static let interval = TimeAmount.seconds(60)

    private struct Entry {
        var logged: NIODeadline
        var suppressed = 0
    }

    private let logger: Logger
    private let now: @Sendable () -> NIODeadline
    // reason: the keys are names of limits.
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
        let suppressed: Int? = entries.withLock { entries in
            let now = now()
            guard var entry = entries[limit], now < entry.logged + Self.interval else {
                defer { entries[limit] = Entry(logged: now) }
                return entries[limit]?.suppressed ?? 0
            }
            entry.suppressed += 1
            entries[limit] = entry
            return nil
        }
        guard let suppressed else { return }
        var metadata: Logger.Metadata = ["limit": "\(limit)", "reason": "\(reason)", "since-last-entry": "\(suppressed)"]
        metadata["peer"] = peer.map { "\($0)" }
        logger.warning("a limit refused a client; further refusals are counted for a minute", metadata: metadata)
    }
}
