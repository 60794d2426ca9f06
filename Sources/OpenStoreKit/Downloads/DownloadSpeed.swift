import Foundation
import PurchaseModel

/// The speed of a download, measured since the last change of the download's state.
struct DownloadSpeed: Sendable {
    private var start: (at: ContinuousClock.Instant, received: Int64)?
    private var last: (at: ContinuousClock.Instant, received: Int64)?

    /// Records the number of bytes that are received at a time.
    mutating func update(_ received: Int64, at now: ContinuousClock.Instant = .now) {
        if start == nil { start = (now, received) }
        last = (now, received)
    }

    /// Returns the estimated remaining time in seconds, or nil if no estimate is available.
    func remaining(of record: DownloadRecord) -> TimeInterval? {
        if record.state == .finished { return 0 }
        guard record.state == .active, let start, let last, last.received > start.received else { return nil }
        let seconds = (last.at - start.at) / .seconds(1)
        return Double(record.content.length - last.received) * seconds / Double(last.received - start.received)
    }
}
