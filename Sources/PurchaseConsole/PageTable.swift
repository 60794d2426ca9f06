import PurchaseModel
import ServerProtocol

/// The rows of a table on the page, with values that a template cannot compute.
struct PageTable<Row: Sendable>: Sendable {
    let rows: [Row]
    let count: Int
    let isEmpty: Bool
    /// Whether the number of rows has reached the limit, so that older data may exist.
    let isFull: Bool

    init(_ rows: [Row], limit: Int) {
        self.rows = rows
        self.count = rows.count
        self.isEmpty = rows.isEmpty
        self.isFull = rows.count >= limit
    }
}

/// The values of a transaction that the page's template shows in a row.
struct TransactionRow: Sendable {
    let time: PageTimestamp
    let product: String
    let quantity: Int
    let owner: String
    let id: String
    let state: String

    init(_ transaction: BackofficeTransaction) {
        time = PageTimestamp(transaction.date)
        product = transaction.productID.rawValue
        quantity = transaction.quantity
        owner = transaction.owner
        id = transaction.id.rawValue
        state = transaction.state
    }
}

/// The values of a notification that the page's template shows in a row.
struct NotificationRow: Sendable {
    let time: PageTimestamp
    let kind: String
    let uuid: String
    let state: String

    init(_ notification: BackofficeNotification) {
        time = PageTimestamp(notification.date)
        kind = notification.kind
        uuid = notification.uuid
        state = notification.state
    }
}

/// A date and time in the text formats that a page shows.
struct PageTimestamp: Sendable {
    /// The value of the HTML attribute `datetime`: `2025-01-31T12:34:56Z`.
    let datetime: String
    /// The date for display: `2025-01-31`.
    let day: Substring
    /// The time of day for display, in UTC: `12:34:56`.
    let clock: Substring

    init(_ timestamp: Timestamp) {
        datetime = timestamp.description
        let halves = datetime.dropLast().split(separator: "T", maxSplits: 1)
        day = halves.first ?? ""
        clock = halves.dropFirst().first ?? ""
    }
}
