extension Report {
    /// The rows as an aligned table, followed by the notes.
    var table: String {
        let header = ["", "here", "each", "of", "ratio", "target", "", "Apple's Python", "other PyPI"]
        let lines = [header] + rows.map(cells)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        // Text columns are aligned left, and number columns right.
        let leading: Set<Int> = [0, 3, 6]
        var text = lines.map { line in
            line.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - line[column].count)
                return leading.contains(column) ? line[column] + padding : padding + line[column]
            }
            .joined(separator: "  ").trimmingTrailingBlanks
        }
        text.insert("", at: 1)
        let remarks = notes.sorted { $0.key < $1.key }.map { "\(Self.names[$0.key] ?? $0.key): \($0.value)" }
        return (text + (remarks.isEmpty ? [] : [""] + remarks)).joined(separator: "\n")
    }

    private static let names = ["apple": "Apple's Python", "other": "other PyPI"]

    private func cells(_ row: Row) -> [String] {
        let isRate = row.unit == .perSecond
        return [
            row.title,
            value(row),
            isRate ? (1e6 / row.value).formatted(row.value > 10_000 ? 1 : 0) + " µs" : "",
            row.basis ?? "",
            row.ratio?.formatted(3) ?? "",
            target(row),
            row.isMet.map { $0 ? "ok" : "below" } ?? "",
            peer("apple", row),
            peer("other", row),
        ]
    }

    private func value(_ row: Row) -> String {
        switch row.unit {
        case .perSecond: row.value.formatted(0) + "/s"
        case .megabytesPerSecond: row.value.formatted(0) + " MB/s"
        case .microseconds: row.value.formatted(2) + " µs"
        case .allocations: row.value.formatted(1) + " allocations"
        case .times: row.value.formatted(2) + " times"
        }
    }

    private func target(_ row: Row) -> String {
        switch row.target {
        case .atLeast(let limit): "≥ " + limit.formatted(limit < 10 ? 2 : 0)
        case .atMost(let limit): "≤ " + limit.formatted(2)
        case nil: ""
        }
    }

    private func peer(_ name: String, _ row: Row) -> String {
        row.peers[name].map { "\($0.formatted(0))/s (\((row.value / $0).formatted(0))×)" } ?? ""
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
