import Foundation
import PurchaseModel

/// How fast a download comes, measured since it began.
struct DownloadSpeed: Sendable {
    private var start: (at: ContinuousClock.Instant, received: Int64)?
    private var last: (at: ContinuousClock.Instant, received: Int64)?

    /// Notes how many bytes are there.
    mutating func note(_ received: Int64, at now: ContinuousClock.Instant = .now) {
        if start == nil { start = (now, received) }
        last = (now, received)
    }

    /// How many seconds the rest will take; nil when that can't be told.
    func remaining(of record: DownloadRecord) -> TimeInterval? {
        if record.state == .finished { return 0 }
        guard record.state == .active, let start, let last, last.received > start.received else { return nil }
        let seconds = (last.at - start.at) / .seconds(1)
        return Double(record.content.length - last.received) * seconds / Double(last.received - start.received)
    }
}
