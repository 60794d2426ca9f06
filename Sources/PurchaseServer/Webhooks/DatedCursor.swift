import PurchaseModel

/// The position of a record in a list that is sorted by dates and identifiers.
struct DatedCursor: Hashable, Sendable {
    var date: Timestamp
    var id: String

    init(date: Timestamp, id: String) {
        self.date = date
        self.id = id
    }

    /// Reads a cursor.
    ///
    /// - Throws: ``WebhookRefusal/cursor`` for a malformed cursor.
    init(_ text: String) throws(WebhookRefusal) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let date = Int64(parts[0]) else { throw .cursor }
        self.init(date: Timestamp(milliseconds: date), id: String(parts[1]))
    }

    /// The cursor as text.
    var text: String { "\(date.milliseconds)-\(id)" }
}
