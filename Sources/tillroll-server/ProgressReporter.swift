import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Prints the progress of a long command: a bar on a terminal, and otherwise a line for each 10 percent.
final class ProgressReporter: Sendable {
    private enum Style {
        case bar
        case lines
        case json
    }

    private static let width = 40

    private let style: Style
    /// The last printed step, in percent.
    private let last = Mutex<Int64>(-1)

    /// Creates a reporter that prints on standard error, or JSON on standard output.
    init(isJSON: Bool) {
        style = isJSON ? .json : isatty(STDERR_FILENO) == 1 ? .bar : .lines
    }

    /// Prints the progress at each further percent for a bar, and otherwise at each further 10 percent.
    ///
    /// - Parameters:
    ///   - completed: The completed part, in the unit of `total`.
    ///   - line: The progress as a line of text.
    ///   - json: The progress as JSON.
    func report(completed: Int64, total: Int64, line: @autoclosure () -> String, json: @autoclosure () -> some Encodable) {
        let percent = total > 0 ? Int64(Double(completed) / Double(total) * 100) : 100
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
        case .lines: write(line() + "\n")
        case .json:
            try? AppCommandOptions.print(json())
            // Flush the line, because writes to a pipe are buffered, and the reader must receive the line immediately.
            fflush(nil)
        }
    }

    /// Ends the line of the bar, so that another line can be printed.
    func end() {
        if style == .bar, last.withLock({ $0 >= 0 }) { write("\n") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
