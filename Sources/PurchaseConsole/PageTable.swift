/// The rows of a table on the page, with values that a template cannot compute from them.
struct PageTable<Row: Sendable>: Sendable {
    let rows: [Row]
    let count: Int
    let isEmpty: Bool
    /// Whether the number of rows has reached the limit, so that there may be older data.
    let isFull: Bool

    init(_ rows: [Row], limit: Int) {
        self.rows = rows
        self.count = rows.count
        self.isEmpty = rows.isEmpty
        self.isFull = rows.count >= limit
    }
}
