import ContentStorage
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Prints the progress of an upload: a bar on a terminal, and otherwise a line for each tenth of the file.
final class UploadReporter: Sendable {
    private enum Style {
        case bar
        case lines
        case json
    }

    private struct JSONLine: Encodable {
        let event = "progress"
        let completed: Int64
        let reused: Int64
        let total: Int64
    }

    private static let width = 40

    private let style: Style
    /// The last printed step, in percent.
    private let last = Mutex<Int64>(-1)

    /// Creates a reporter that prints on standard error, or JSON on standard output.
    init(isJSON: Bool) {
        style = isJSON ? .json : isatty(STDERR_FILENO) == 1 ? .bar : .lines
    }

    /// Prints a state, unless the same step was printed before.
    func report(_ progress: UploadProgress) {
        let percent = progress.total > 0 ? Int64(Double(progress.completed) / Double(progress.total) * 100) : 100
        let step = style == .bar ? percent : percent / 10 * 10
        let isNew = last.withLock { last in
            defer { last = max(last, step) }
            return step > last
        }
        guard isNew else { return }
        switch style {
        case .bar:
            let filled = Int(percent) * Self.width / 100
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: max(0, Self.width - filled))
            write("\r[\(bar)] \(percent) %")
        case .lines:
            let reused = progress.reused > 0 ? ", \(progress.reused) of them stored before" : ""
            write("stored \(progress.completed) of \(progress.total) bytes\(reused)\n")
        case .json:
            try? AppCommandOptions.print(JSONLine(completed: progress.completed, reused: progress.reused, total: progress.total))
        }
    }

    /// Ends the line of the bar.
    func end() {
        if style == .bar, last.withLock({ $0 >= 0 }) { write("\n") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
