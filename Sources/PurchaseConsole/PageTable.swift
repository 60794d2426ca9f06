/// The rows of one table, with the derived values that a template cannot compute.
struct PageTable<Row: Sendable>: Sendable {
    let rows: [Row]
    let count: Int
    let isEmpty: Bool
    /// Whether the table has reached its limit, so that older rows may exist.
    let isFull: Bool

    init(_ rows: [Row], limit: Int) {
        self.rows = rows
        self.count = rows.count
        self.isEmpty = rows.isEmpty
        self.isFull = rows.count >= limit
    }
}
