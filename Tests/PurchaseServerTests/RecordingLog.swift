import Logging
import Synchronization

/// A log that records its entries.
final class RecordingLog: Sendable {
    private let kept = Mutex<[(level: Logger.Level, line: String)]>([])

    /// A logger that writes to this log at every level.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    /// The messages of one level with their metadata, oldest first.
    func lines(_ level: Logger.Level) -> [String] {
        kept.withLock { $0.filter { $0.level == level }.map(\.line) }
    }

    /// The messages of every level with their metadata, oldest first.
    var all: [String] { kept.withLock { $0.map(\.line) } }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.kept.withLock { $0.append((event.level, "\(event.message) \(event.metadata ?? [:])")) }
        }
    }
}
