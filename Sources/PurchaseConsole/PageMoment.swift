import PurchaseModel

/// A point in time, cut into what a page shows of it.
struct PageMoment: Sendable {
    /// For machines: `2025-01-31T12:34:56Z`.
    let datetime: String
    /// For people: `2025-01-31`.
    let day: Substring
    /// For people, in UTC: `12:34:56`.
    let clock: Substring

    init(_ timestamp: Timestamp) {
        datetime = timestamp.description
        let halves = datetime.dropLast().split(separator: "T", maxSplits: 1)
        day = halves.first ?? ""
        clock = halves.dropFirst().first ?? ""
    }
}
