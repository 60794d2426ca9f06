package import Logging
import Synchronization

/// A log that records its entries.
package final class RecordingLog: Sendable {
    private let kept = Mutex<[(level: Logger.Level, line: String, request: String?)]>([])

    /// Creates a log without entries.
    package init() {}

    /// A logger that writes to this log at every level.
    package var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    /// The messages of one level with their metadata, oldest first.
    package func lines(_ level: Logger.Level) -> [String] {
        kept.withLock { $0.filter { $0.level == level }.map(\.line) }
    }

    /// The messages of every level with their metadata, oldest first.
    package var all: [String] { kept.withLock { $0.map(\.line) } }

    /// The identifiers of the requests to which the messages with a prefix belong, oldest first.
    package func requests(_ prefix: String) -> [String] {
        kept.withLock { $0.filter { $0.line.hasPrefix(prefix) }.compactMap(\.request) }
    }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let request = metadata["hb.request.id"].map { "\($0)" }
            log.kept.withLock { $0.append((event.level, "\(event.message) \(event.metadata ?? [:])", request)) }
        }
    }
}
