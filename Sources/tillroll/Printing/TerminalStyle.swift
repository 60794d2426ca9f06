import Foundation

/// The emphasis of text: color on a terminal, no color in a pipe or if `NO_COLOR` is set.
///
/// <https://no-color.org>
struct TerminalStyle: Sendable {
    private let isColored: Bool

    init(isColored: Bool) {
        self.isColored = isColored
    }

    /// The style for an output and an environment.
    static func suiting(
        _ output: FileDescriptor = .standardOutput, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TerminalStyle {
        TerminalStyle(isColored: output.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb")
    }

    func good(_ text: String) -> String { styled("32", text) }
    func bad(_ text: String) -> String { styled("31", text) }
    func doubtful(_ text: String) -> String { styled("33", text) }
    func strong(_ text: String) -> String { styled("1", text) }
    func faint(_ text: String) -> String { styled("2", text) }

    private func styled(_ code: String, _ text: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
