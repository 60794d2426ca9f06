/// A row of the page about coverage.
public struct CoverageRow: Sendable {
    /// The heading of the second level that it stands under.
    public let part: String
    /// What it is about.
    public let symbols: [String]
    /// `works`, `differs` or `absent`.
    public let status: String
    /// How it differs, or why it is absent.
    public let remark: String

    /// Reads a line of the page, if it is a row that has symbols.
    init?(_ line: Substring, part: String) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingPrefix(while: \.isWhitespace) }
        guard cells.count == 5, cells[1].hasPrefix("`") else { return nil }
        self.part = part
        symbols = cells[1].split(separator: "`").map(String.init).filter { !$0.allSatisfy { " ,".contains($0) } }
        status = cells[2].split(separator: " ").joined(separator: " ")
        remark = cells[3].split(separator: " ").joined(separator: " ")
    }

    /// Whether its symbols compile.
    public var isThere: Bool { status != "absent" }
}
