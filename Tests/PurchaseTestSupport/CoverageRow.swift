/// A row of the coverage page.
public struct CoverageRow: Sendable {
    /// The second-level heading above the row.
    public let part: String
    /// The symbols of the row.
    public let symbols: [String]
    /// `works`, `differs` or `absent`.
    public let status: String
    /// How the symbols differ, or why they are absent.
    public let note: String

    /// Reads a line of the page; nil if the line is not a row with symbols.
    init?(_ line: Substring, part: String) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingPrefix(while: \.isWhitespace) }
        guard cells.count == 5, cells[1].hasPrefix("`") else { return nil }
        self.part = part
        symbols = cells[1].split(separator: "`").map(String.init).filter { !$0.allSatisfy { " ,".contains($0) } }
        status = cells[2].split(separator: " ").joined(separator: " ")
        note = cells[3].split(separator: " ").joined(separator: " ")
    }

    /// Whether the symbols compile.
    public var isAvailable: Bool { status != "absent" }
}
