import Foundation
import Logging

/// Writes each entry of the log as one JSON object on a line of standard error, for programs that collect logs.
///
/// The members are `time` (RFC 3339, UTC), `level`, `logger`, `message`, `error` and `metadata`.
struct JSONLogHandler: LogHandler {
    private struct Line: Encodable {
        let time: String
        let level: String
        let logger: String
        let message: String
        let error: String?
        let metadata: [String: String]?
    }

    let label: String
    /// Writes a line with its end.
    let write: @Sendable (Data) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?

    /// Creates a handler that writes to standard error, which a program reads line by line.
    static func standardError(_ label: String) -> JSONLogHandler {
        JSONLogHandler(label: label) { line in
            // One call for each line, so that lines of several threads do not mix. An error has no reader.
            try? FileHandle.standardError.write(contentsOf: line)
        }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let line = Line(
            time: Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), level: event.level.rawValue, logger: label,
            message: "\(event.message)", error: event.error.map { "\($0)" },
            metadata: all.isEmpty ? nil : all.mapValues { "\($0)" })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var data = try? encoder.encode(line) else { return }
        data.append(UInt8(ascii: "\n"))
        write(data)
    }
}
