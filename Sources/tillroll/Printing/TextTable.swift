import Foundation

/// A table of text in aligned columns.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    /// Creates a table, with or without a row of headings.
    init(_ headings: [String] = []) {
        self.headings = headings
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; cells are escaped for a terminal.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map(TerminalText.safe))
    }

    /// Adds a row with a name and a value; a nil value adds no row.
    mutating func add(_ name: String, _ value: String?) {
        if let value { add([name, value]) }
    }

    /// Returns the lines of the table, each indented by `indent`; the headings are faint.
    func lines(_ style: TerminalStyle, indent: String = "  ") -> [String] {
        var widths: [Int] = []
        for row in [headings] + rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        func line(_ row: [String]) -> String {
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            return indent + cells.joined(separator: "  ")
        }
        return (headings.isEmpty ? [] : [style.faint(line(headings))]) + rows.map(line)
    }
}

/// Emphasizes text: with color on a terminal, without color in a pipe or if `NO_COLOR` is set.
///
/// <https://no-color.org>
struct TerminalStyle: Sendable {
    private let isColored: Bool

    init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Returns the style that suits an output and the environment variables `NO_COLOR` and `TERM`.
    static func detected(
        _ output: FileDescriptor = .standardOutput, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TerminalStyle {
        TerminalStyle(isColored: output.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb")
    }

    func good(_ text: String) -> String { styled("32", text) }
    func bad(_ text: String) -> String { styled("31", text) }
    func warning(_ text: String) -> String { styled("33", text) }
    func strong(_ text: String) -> String { styled("1", text) }
    func faint(_ text: String) -> String { styled("2", text) }

    private func styled(_ code: String, _ text: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Escapes text from signed or hostile data for output on a terminal.
///
/// A bundle ID can contain any characters: escape sequences that overwrite the printed result, line breaks that imitate a row, and marks
/// that change the direction of writing.
enum TerminalText {
    /// Returns the text with unsafe characters escaped, such as `\u{1B}`.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.reduce(into: "") { safe, scalar in
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns the text, shortened to the given number of characters; a shortened text ends with an ellipsis.
    static func shortened(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
