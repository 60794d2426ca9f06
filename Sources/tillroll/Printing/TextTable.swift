/// Rows of cells in aligned columns.
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

    /// The lines, each indented by `indent`; the headings are faint.
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
