import PurchaseModel

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
