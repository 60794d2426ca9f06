/// The rows of one table, with what a template without arithmetic must know of them.
struct PageTable<Row: Sendable>: Sendable {
    let rows: [Row]
    let count: Int
    let isEmpty: Bool
    /// There may be older rows than these.
    let isFull: Bool

    init(_ rows: [Row], limit: Int) {
        self.rows = rows
        self.count = rows.count
        self.isEmpty = rows.isEmpty
        self.isFull = rows.count >= limit
    }
}
